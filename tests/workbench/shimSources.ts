/** Reads the shim's and the plugin's sources with the compiler: what the one offers and what the other uses. */
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import ts from "typescript";

const root = path.join(__dirname, "..", "..");
const shimDir = path.join(root, "workbench", "src");
const mocksDir = path.join(root, "node_modules", "obsidian-test-mocks", "dist", "lib", "esm");
const typingsFile = path.join(root, "node_modules", "obsidian", "obsidian.d.ts");

export interface ShimClass {
  readonly name: string;
  readonly base: string | undefined;
  /** Public, and not for the host alone (those end in two underscores). */
  readonly members: readonly string[];
  readonly statics: readonly string[];
}

export interface Offered {
  /** Export name → the class behind it, where it is one. */
  readonly exports: ReadonlyMap<string, ShimClass | undefined>;
  /** A class of the shim, or of the mocks it is built on. */
  classNamed(name: string): ShimClass | undefined;
}

export function readShim(): Offered {
  const classes = new Map<string, ShimClass>();
  for (const file of sourceFiles(path.join(mocksDir, "obsidian"), ".d.mts")) collectClasses(file, classes);
  for (const [name, known] of [...classes]) classes.set(`Mock${name}`, known);
  for (const file of sourceFiles(shimDir, ".ts")) collectClasses(file, classes);
  const exports = new Map<string, ShimClass | undefined>();
  const list = objectLiteralNamed(parse(path.join(shimDir, "obsidianModule.ts")), "offered");
  for (const property of list.properties) {
    const name = property.name;
    if (name === undefined || !ts.isIdentifier(name)) throw new Error("an export of the shim has no plain name");
    exports.set(name.text, classes.get(classNameBehind(property) ?? name.text));
  }
  return { exports, classNamed: (name) => classes.get(name) };
}

/** Names with which the mocks extend the DOM and the built-in objects. */
export function readDomExtensions(): ReadonlySet<string> {
  const names = new Set<string>();
  for (const file of filesIn(path.join(mocksDir, "globals"), ".mjs")) {
    const text = readFileSync(file, "utf8");
    for (const list of text.matchAll(/export \{([^}]*)\}/g)) {
      for (const name of (list[1] ?? "").split(","))
        names.add(
          name
            .trim()
            .split(/\s+as\s+/)
            .at(-1) ?? "",
        );
    }
    for (const defined of text.matchAll(/^ {4}(\w+): \{$/gm)) names.add(defined[1] ?? "");
  }
  return names;
}

export interface Use {
  /** The class, or the part of the DOM, that the typings declare the member on. */
  readonly owner: string;
  readonly member: string;
  /** Where it is used first. */
  readonly at: string;
  readonly isGlobal: boolean;
}

export interface PluginUses {
  /** Names imported from "obsidian" to be there at run time. */
  readonly imports: readonly string[];
  readonly members: readonly Use[];
}

/** Every member of the typings that the plugin's sources touch. */
export function readPluginUses(): PluginUses {
  const config = ts.readConfigFile(path.join(root, "tsconfig.json"), (file) => readFileSync(file, "utf8"));
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, root);
  const files = [...sourceFiles(path.join(root, "src"), ".ts"), ...sourceFiles(path.join(root, "src"), ".tsx")];
  const program = ts.createProgram(files, { ...options, types: [], noEmit: true });
  const checker = program.getTypeChecker();
  const imports = new Set<string>();
  const members = new Map<string, Use>();
  for (const source of program.getSourceFiles()) {
    if (!source.fileName.startsWith(path.join(root, "src"))) continue;
    const visit = (node: ts.Node): void => {
      if (ts.isImportDeclaration(node)) collectImports(node, imports);
      const name = nameTouched(node);
      if (name !== undefined) {
        const use = useOf(checker.getSymbolAtLocation(name), path.relative(root, source.fileName));
        if (use !== undefined) members.set(`${use.owner}.${use.member}`, use);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return { imports: [...imports], members: [...members.values()] };
}

function nameTouched(node: ts.Node): ts.Node | undefined {
  if (ts.isPropertyAccessExpression(node)) return node.name;
  if (ts.isBindingElement(node)) return node.propertyName ?? node.name;
  return undefined;
}

function useOf(symbol: ts.Symbol | undefined, at: string): Use | undefined {
  const declaration = symbol?.declarations?.find((candidate) => candidate.getSourceFile().fileName === typingsFile);
  if (symbol === undefined || declaration === undefined) return undefined;
  const parent = declaration.parent;
  const isGlobal = !ts.isSourceFile(parent.parent);
  if (
    ts.isClassDeclaration(parent) ||
    (ts.isInterfaceDeclaration(parent) && (isGlobal || parent.name.text === "DataAdapter"))
  ) {
    return { owner: parent.name?.text ?? "", member: symbol.name, at, isGlobal };
  }
  return undefined;
}

function collectImports(node: ts.ImportDeclaration, into: Set<string>): void {
  if (!ts.isStringLiteral(node.moduleSpecifier) || node.moduleSpecifier.text !== "obsidian") return;
  const clause = node.importClause;
  const bindings = clause?.namedBindings;
  if (
    clause === undefined ||
    clause.phaseModifier === ts.SyntaxKind.TypeKeyword ||
    bindings === undefined ||
    !ts.isNamedImports(bindings)
  )
    return;
  for (const element of bindings.elements)
    if (!element.isTypeOnly) into.add((element.propertyName ?? element.name).text);
}

function collectClasses(file: string, into: Map<string, ShimClass>): void {
  for (const statement of parse(file).statements) {
    if (!ts.isClassDeclaration(statement) || statement.name === undefined) continue;
    const parent = statement.heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)?.types[0];
    const name = statement.name.text;
    into.set(name, { name, base: baseName(parent?.expression), ...membersOf(statement) });
  }
}

function membersOf(declaration: ts.ClassDeclaration): Pick<ShimClass, "members" | "statics"> {
  const members: string[] = [];
  const statics: string[] = [];
  for (const member of declaration.members) {
    if (ts.isConstructorDeclaration(member)) {
      for (const parameter of member.parameters) {
        const flags = ts.getCombinedModifierFlags(parameter);
        if (ts.isIdentifier(parameter.name) && isPublicField(flags)) members.push(parameter.name.text);
      }
      continue;
    }
    const flags = ts.getCombinedModifierFlags(member);
    if (member.name === undefined || !ts.isIdentifier(member.name) || (flags & ts.ModifierFlags.Private) !== 0)
      continue;
    ((flags & ts.ModifierFlags.Static) === 0 ? members : statics).push(member.name.text);
  }
  const forPlugins = (name: string): boolean => !name.endsWith("__");
  return { members: members.filter(forPlugins), statics: statics.filter(forPlugins) };
}

function isPublicField(flags: ts.ModifierFlags): boolean {
  const isField = (flags & (ts.ModifierFlags.Public | ts.ModifierFlags.Readonly)) !== 0;
  return isField && (flags & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) === 0;
}

function baseName(expression: ts.Expression | undefined): string | undefined {
  if (expression === undefined) return undefined;
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();
}

function classNameBehind(property: ts.ObjectLiteralElementLike): string | undefined {
  if (!ts.isPropertyAssignment(property)) return undefined;
  const { initializer } = property;
  if (ts.isPropertyAccessExpression(initializer)) return initializer.name.text;
  return ts.isIdentifier(initializer) ? initializer.text : undefined;
}

function objectLiteralNamed(source: ts.SourceFile, name: string): ts.ObjectLiteralExpression {
  for (const statement of source.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    const found = statement.declarationList.declarations.find((declaration) => declaration.name.getText() === name);
    if (found?.initializer !== undefined && ts.isObjectLiteralExpression(found.initializer)) return found.initializer;
  }
  throw new Error(`there is no object named ${name}`);
}

function parse(file: string): ts.SourceFile {
  return ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
}

function sourceFiles(folder: string, extension: string): string[] {
  return filesIn(folder, extension).filter((file) => extension === ".d.mts" || !file.endsWith(".d.ts"));
}

function filesIn(folder: string, extension: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(extension))
    .map((file) => path.join(folder, file));
}
