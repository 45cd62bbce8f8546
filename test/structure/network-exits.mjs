import ts from "typescript";

/**
 * A place in a file that could open a network connection.
 * @typedef {object} Exit
 * @property {string} what For messages: "fetch" or "request of node:http".
 * @property {ts.Node} node
 */

const clientModules = new Set(
  ["http", "https", "http2", "net", "tls", "dns", "dns/promises", "dgram", "module"]
    .flatMap((name) => [name, `node:${name}`])
    .concat("undici"),
);

/** Exports of these modules that open no connection. */
const harmless = new Set(["createServer", "Server", "IncomingMessage", "ServerResponse", "isIP", "isIPv4", "isIPv6"]);

const globals = new Set(["fetch", "WebSocket", "EventSource", "XMLHttpRequest"]);
const globalObjects = new Set(["globalThis", "global", "self", "window"]);

/**
 * Returns everything in a file that could open a connection: clients of Node and undici that are imported as values, in
 * any way, and global clients. Types do not count, nor do local variables such as a parameter `fetch`.
 * @param {ts.SourceFile} file
 * @returns {readonly Exit[]}
 */
export function findExits(file) {
  return collect(file).flatMap((node) =>
    [importedBy(node), loadedBy(node), globalOf(node)].flat().map((what) => ({ what, node })),
  );
}

/**
 * @param {ts.Node} node
 * @returns {ts.Node[]}
 */
function collect(node) {
  /** @type {ts.Node[]} */
  const children = [];
  ts.forEachChild(node, (child) => void (isType(child) || children.push(child)));
  return [node, ...children.flatMap(collect)];
}

/**
 * Returns true for a type, which has no value at run time. The class that another class extends is a value, although it
 * is parsed as a type node.
 * @param {ts.Node} node
 */
const isType = (node) =>
  ts.isInterfaceDeclaration(node) || (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node));

/**
 * @param {ts.Node} node
 * @returns {string[]}
 */
function importedBy(node) {
  if (ts.isExportDeclaration(node)) return node.isTypeOnly ? [] : clientOf(node.moduleSpecifier, "an export");
  if (!ts.isImportDeclaration(node)) return [];
  const { importClause, moduleSpecifier } = node;
  if (importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword) return [];
  const bindings = importClause?.namedBindings;
  if (importClause?.name || !bindings || !ts.isNamedImports(bindings)) return clientOf(moduleSpecifier, "all");
  const names = bindings.elements
    .filter((each) => !each.isTypeOnly)
    .map((each) => (each.propertyName ?? each.name).text);
  return names.flatMap((name) =>
    isOfPackage(moduleSpecifier) && globals.has(name)
      ? [name]
      : harmless.has(name)
        ? []
        : clientOf(moduleSpecifier, name),
  );
}

/** @param {ts.Expression} specifier */
const isOfPackage = (specifier) => ts.isStringLiteralLike(specifier) && !specifier.text.startsWith(".");

/**
 * Dynamic imports, `require`, `import x = require()`, and calls of any function with the name of such a module, such as
 * `process.getBuiltinModule`.
 * @param {ts.Node} node
 * @returns {string[]}
 */
function loadedBy(node) {
  if (ts.isExternalModuleReference(node)) return clientOf(node.expression, "all");
  if (!ts.isCallExpression(node)) return [];
  const loads = /^(?:import|require|.*\.getBuiltinModule(?:\?\.)?)$/.test(node.expression.getText());
  return node.arguments
    .filter((argument) => loads || (ts.isStringLiteralLike(argument) && argument.text.startsWith("node:")))
    .flatMap((argument) => clientOf(argument, "all"));
}

/**
 * @param {ts.Node | undefined} specifier
 * @param {string} what
 * @returns {string[]}
 */
function clientOf(specifier, what) {
  if (specifier === undefined || !ts.isStringLiteralLike(specifier)) return [];
  return clientModules.has(specifier.text) ? [`${what} of ${specifier.text}`] : [];
}

/**
 * @param {ts.Node} node
 * @returns {string[]}
 */
function globalOf(node) {
  if (ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression)) {
    const { text } = node.argumentExpression;
    return isGlobalObject(node.expression) && globals.has(text) ? [text] : [];
  }
  if (!ts.isIdentifier(node) || !globals.has(node.text)) return [];
  return readsGlobal(node) ? [node.text] : [];
}

/** @param {ts.Identifier} node */
function readsGlobal(node) {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) && parent.name === node) return isGlobalObject(parent.expression);
  if (ts.isBindingElement(parent) && isTakenFromGlobal(parent, node)) return true;
  return !isNameOnly(node) && !isDeclaredAround(node);
}

/** @param {ts.Node | undefined} expression */
const isGlobalObject = (expression) =>
  expression !== undefined && ts.isIdentifier(expression) && globalObjects.has(expression.text);

/**
 * `const { fetch } = globalThis`
 * @param {ts.BindingElement} element
 * @param {ts.Identifier} node
 */
function isTakenFromGlobal(element, node) {
  const declaration = element.parent.parent;
  const taken = ts.isVariableDeclaration(declaration) && isGlobalObject(declaration.initializer);
  return taken && (element.propertyName ?? element.name) === node;
}

/**
 * Returns true if the identifier is the name of a member or declaration, so that it reads no variable.
 * @param {ts.Identifier} node
 */
function isNameOnly(node) {
  const { parent } = node;
  if (ts.isShorthandPropertyAssignment(parent)) return false;
  return ("name" in parent && parent.name === node) || ("propertyName" in parent && parent.propertyName === node);
}

/** @param {ts.Identifier} node */
function isDeclaredAround(node) {
  for (let around = node.parent; around; around = around.parent) {
    if (declaredIn(around).some((name) => declares(name, node.text))) return true;
  }
  return false;
}

/**
 * @param {ts.Node} around
 * @returns {readonly (ts.BindingName | undefined)[]}
 */
function declaredIn(around) {
  if (ts.isFunctionLike(around)) return around.parameters.map(({ name }) => name);
  if (!ts.isBlock(around) && !ts.isSourceFile(around)) return [];
  return around.statements.flatMap((statement) => {
    if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.map(({ name }) => name);
    return ts.isFunctionDeclaration(statement) ? [statement.name] : importedNames(statement);
  });
}

/** @param {ts.Statement} statement */
function importedNames(statement) {
  const bindings = ts.isImportDeclaration(statement) ? statement.importClause?.namedBindings : undefined;
  return bindings && ts.isNamedImports(bindings) ? bindings.elements.map(({ name }) => name) : [];
}

/**
 * @param {ts.BindingName | undefined} name
 * @param {string} text
 * @returns {boolean}
 */
function declares(name, text) {
  if (name === undefined) return false;
  if (ts.isIdentifier(name)) return name.text === text;
  return name.elements.some((each) => ts.isBindingElement(each) && declares(each.name, text));
}
