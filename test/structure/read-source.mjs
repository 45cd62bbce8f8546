import ts from "typescript";
import { findExits } from "./network-exits.mjs";

/**
 * One import, export-from or dynamic import.
 * @typedef {object} Import
 * @property {string} from The module specifier as written.
 * @property {number} line
 * @property {boolean} typeOnly True if the import is erased at run time.
 */

/**
 * A function that has a name: a declaration, a method, or the value of a constant or property.
 * @typedef {object} NamedFunction
 * @property {number} lines The number of lines from its signature to its closing brace.
 */

/**
 * The properties of a file that the rules check.
 * @typedef {object} Source
 * @property {string} path Relative to the root of the workspace, with slashes.
 * @property {boolean} isTest
 * @property {number} lines
 * @property {readonly Import[]} imports
 * @property {readonly NamedFunction[]} functions
 * @property {readonly { readonly what: string, readonly line: number }[]} exits Places that could open a connection.
 * @property {readonly number[]} starExports The lines of star exports.
 * @property {readonly { readonly name: string, readonly line: number }[]} undocumented Exports without a comment.
 * @property {readonly number[]} bareSuppressions The lines that disable a lint rule without a reason.
 */

/**
 * Reads one TypeScript file.
 * @param {string} path
 * @param {string} text
 * @returns {Source}
 */
export function readSource(path, text) {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  /** @param {number} position */
  const lineOf = (position) => file.getLineAndCharacterOfPosition(position).line + 1;
  const typeOnly = typeOnlyModules(file);
  return {
    path,
    isTest: /\.test\.[cm]?tsx?$/.test(path),
    lines: text.split("\n").length - (text.endsWith("\n") ? 1 : 0),
    imports: ts.preProcessFile(text, true, true).importedFiles.map(({ fileName, pos }) => ({
      from: fileName,
      line: lineOf(pos),
      typeOnly: typeOnly.has(pos),
    })),
    functions: namedFunctions(file).map((node) => ({ lines: lineOf(node.end) - lineOf(node.getStart()) + 1 })),
    exits: findExits(file).map(({ what, node }) => ({ what, line: lineOf(node.getStart()) })),
    starExports: file.statements.filter(isStarExport).map((statement) => lineOf(statement.getStart())),
    undocumented: path.endsWith(".d.ts")
      ? []
      : undocumentedExports(file).map(({ name, position }) => ({ name, line: lineOf(position) })),
    bareSuppressions: bareSuppressions(text),
  };
}

/**
 * Returns the positions of the module specifiers of type-only imports and exports.
 * @param {ts.Node} node
 * @returns {ReadonlySet<number>}
 */
function typeOnlyModules(node) {
  /** @type {Set<number>} */
  const positions = new Set();
  /** @param {ts.Node} each */
  const visit = (each) => {
    const name = typeOnlyModule(each);
    if (name !== undefined) positions.add(name.getStart());
    ts.forEachChild(each, visit);
  };
  visit(node);
  return positions;
}

/**
 * @param {ts.Node} node
 * @returns {ts.Node | undefined}
 */
function typeOnlyModule(node) {
  if (ts.isImportDeclaration(node)) return node.importClause?.isTypeOnly === true ? node.moduleSpecifier : undefined;
  if (ts.isExportDeclaration(node)) return node.isTypeOnly ? node.moduleSpecifier : undefined;
  return ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined;
}

/**
 * @param {ts.Node} node
 * @returns {ts.Node[]}
 */
function namedFunctions(node) {
  const inside = node.getChildren().flatMap(namedFunctions);
  return isNamedFunction(node) ? [node, ...inside] : inside;
}

/** @param {ts.Node} node */
function isNamedFunction(node) {
  if (ts.isFunctionDeclaration(node) || ts.isConstructorDeclaration(node)) return node.body !== undefined;
  if (ts.isMethodDeclaration(node) || ts.isAccessor(node)) return node.body !== undefined;
  if (!ts.isArrowFunction(node) && !ts.isFunctionExpression(node)) return false;
  return (
    ts.isVariableDeclaration(node.parent) ||
    ts.isPropertyAssignment(node.parent) ||
    ts.isPropertyDeclaration(node.parent)
  );
}

/** @param {ts.Statement} statement */
const isStarExport = (statement) =>
  ts.isExportDeclaration(statement) &&
  (statement.exportClause === undefined || ts.isNamespaceExport(statement.exportClause)) &&
  statement.moduleSpecifier !== undefined;

/** @param {ts.SourceFile} file */
function undocumentedExports(file) {
  return file.statements
    .filter((statement) => isExported(statement) && ts.getJSDocCommentsAndTags(statement).length === 0)
    .map((statement) => ({ name: nameOf(statement), position: statement.getStart() }));
}

/** @param {ts.Statement} statement */
const isExported = (statement) =>
  ts.canHaveModifiers(statement) &&
  (ts.getModifiers(statement) ?? []).some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword);

/** @param {ts.Statement} statement */
function nameOf(statement) {
  const declaration = ts.isVariableStatement(statement) ? statement.declarationList.declarations[0] : statement;
  const name = declaration && ts.getNameOfDeclaration(/** @type {ts.Declaration} */ (declaration));
  return name?.getText() ?? "a default";
}

/** @param {string} text */
const bareSuppressions = (text) =>
  text
    .split("\n")
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => /(?:ox|es)lint-disable/.test(line) && !/-disable.*\s--\s\S/.test(line))
    .map(({ number }) => number);
