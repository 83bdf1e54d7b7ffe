/**
 * The shim against Obsidian's typings: it offers nothing that Obsidian has not, and all that the plugin uses.
 * What neither side has is made to throw at run time; page.test.ts shows that.
 */
import { readTypings } from "../../workbench/typings.mjs";
import { readDomExtensions, readPluginUses, readShim, type ShimClass } from "./shimSources";

jest.setTimeout(120_000);

/** Not in the typings, and offered since plugins reach for them; each says so where it is declared. */
const UNDOCUMENTED = ["App.commands", "App.dragManager", "App.setting", "CodeMirrorEditor.cm"];

const typings = readTypings();
const shim = readShim();

/** A class of the typings and all it extends. */
function membersInTypings(name: string): Set<string> {
  const members = new Set<string>();
  for (let typing = typings.classes[name]; typing !== undefined; typing = typings.classes[typing.extends ?? ""]) {
    for (const member of [...typing.members, ...typing.optional]) members.add(member);
    if (typing.extends === undefined) break;
  }
  // FileSystemAdapter and CapacitorAdapter share one class here, which implements this interface.
  if (name.endsWith("Adapter")) for (const member of typings.interfaces.DataAdapter ?? []) members.add(member);
  return members;
}

/** A class of the shim and all it extends, the mocks' included. */
function lineage(first: ShimClass | undefined): ShimClass[] {
  const classes: ShimClass[] = [];
  for (
    let current = first;
    current !== undefined && !classes.includes(current);
    current = shim.classNamed(current.base ?? "")
  ) {
    classes.push(current);
  }
  return classes;
}

const offeredClasses = [...shim.exports].filter(([, shimClass]) => shimClass !== undefined);

test("every export of the shim is an export of the typings", () => {
  expect([...shim.exports.keys()].filter((name) => !typings.values.includes(name))).toEqual([]);
});

test("there are enough exports and members for these tests to mean anything", () => {
  expect(shim.exports.size).toBeGreaterThan(100);
  expect(offeredClasses.length).toBeGreaterThan(60);
  expect(shim.classNamed("Workspace")?.members).toEqual(
    expect.arrayContaining(["getLeaf", "ensureSideLeaf", "activeLeaf"]),
  );
});

test.each(offeredClasses)("%s has no public member that Obsidian's has not", (name, shimClass) => {
  const known = membersInTypings(name);
  const statics = typings.classes[name]?.statics ?? [];
  const strangers = [
    ...(shimClass?.members ?? []).filter((member) => !known.has(member)),
    ...(shimClass?.statics ?? []).filter((member) => !statics.includes(member)).map((member) => `${member} (static)`),
  ];
  expect(strangers.filter((member) => !UNDOCUMENTED.includes(`${name}.${member}`))).toEqual([]);
});

describe("what the plugin's sources use", () => {
  const uses = readPluginUses();

  test("every name they import is there", () => {
    expect(uses.imports.length).toBeGreaterThan(5);
    expect(uses.imports.filter((name) => !shim.exports.has(name))).toEqual([]);
  });

  test("every member of a class they touch is modelled", () => {
    const ofClasses = uses.members.filter(({ isGlobal }) => !isGlobal);
    expect(ofClasses.length).toBeGreaterThan(20);
    const missing = ofClasses.filter(({ owner, member }) => {
      const behind =
        owner === "DataAdapter"
          ? shim.classNamed("ServedAdapter")
          : owner === "Editor"
            ? shim.classNamed("CodeMirrorEditor")
            : shim.exports.get(owner);
      return !lineage(behind).some(({ members, statics }) => members.includes(member) || statics.includes(member));
    });
    expect(missing).toEqual([]);
  });

  test("every addition to the DOM they touch is there", () => {
    const additions = readDomExtensions();
    const missing = uses.members.filter(
      ({ isGlobal, member }) => isGlobal && !additions.has(member) && !(member in String.prototype),
    );
    expect(missing).toEqual([]);
  });
});
