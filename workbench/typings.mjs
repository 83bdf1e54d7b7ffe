// @ts-check
/** What obsidian.d.ts declares, as plain data: the run-time exports, and the members of its classes. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import ts from "typescript";

/**
 * @typedef {object} ClassTyping
 * @property {string} [extends]
 * @property {string[]} members public, not optional
 * @property {string[]} optional public, optional
 * @property {string[]} statics
 */

/** @returns {{ values: string[], classes: Record<string, ClassTyping>, interfaces: Record<string, string[]> }} */
export function readTypings() {
  const file = createRequire(import.meta.url).resolve("obsidian/obsidian.d.ts");
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  /** @type {string[]} */
  const values = [];
  /** @type {Record<string, ClassTyping>} */
  const classes = {};
  /** @type {Record<string, string[]>} */
  const interfaces = {};
  for (const statement of source.statements) {
    if (!isExported(statement)) continue;
    if (ts.isClassDeclaration(statement) && statement.name !== undefined) {
      values.push(statement.name.text);
      classes[statement.name.text] = readClass(statement);
    } else if (ts.isInterfaceDeclaration(statement)) {
      interfaces[statement.name.text] = statement.members.flatMap((member) => nameOf(member) ?? []);
    } else if (
      (ts.isFunctionDeclaration(statement) || ts.isEnumDeclaration(statement)) &&
      statement.name !== undefined
    ) {
      if (!values.includes(statement.name.text)) values.push(statement.name.text);
    } else if (ts.isVariableStatement(statement)) {
      for (const { name } of statement.declarationList.declarations) if (ts.isIdentifier(name)) values.push(name.text);
    }
  }
  return { values, classes, interfaces };
}

/**
 * @param {ts.ClassDeclaration} declaration
 * @returns {ClassTyping}
 */
function readClass(declaration) {
  /** @type {ClassTyping} */
  const typing = { members: [], optional: [], statics: [] };
  const parent = declaration.heritageClauses?.find((clause) => clause.token === ts.SyntaxKind.ExtendsKeyword)?.types[0];
  if (parent !== undefined && ts.isIdentifier(parent.expression)) typing.extends = parent.expression.text;
  for (const member of declaration.members) {
    const name = nameOf(member);
    const flags = ts.getCombinedModifierFlags(member);
    if (name === undefined || (flags & ts.ModifierFlags.Private) !== 0) continue;
    const isOptional = "questionToken" in member && member.questionToken !== undefined;
    const list =
      (flags & ts.ModifierFlags.Static) !== 0 ? typing.statics : isOptional ? typing.optional : typing.members;
    if (!list.includes(name)) list.push(name);
  }
  return typing;
}

/** @param {ts.ClassElement | ts.TypeElement} member */
function nameOf(member) {
  return member.name !== undefined && ts.isIdentifier(member.name) ? member.name.text : undefined;
}

/** @param {ts.Statement} statement */
function isExported(statement) {
  return (
    ts.canHaveModifiers(statement) &&
    (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
  );
}
