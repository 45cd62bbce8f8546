import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import ts from "typescript";

/** @typedef {import("./packed-packages.mjs").Packed} Packed */

const snapshots = join(import.meta.dirname, "public-surface");
const printer = ts.createPrinter({ removeComments: true });

/**
 * Compares what the public entries of each package export with the snapshot in `public-surface`, or replaces the
 * snapshot. Entries called `internal` are left out, since they may change in any release.
 * @param {readonly Packed[]} packages
 * @param {{ readonly update: boolean }} options
 * @returns {readonly string[]}
 */
export function checkSurface(packages, { update }) {
  const entries = packages.map((packed) => publicEntries(packed));
  const program = ts.createProgram(
    entries.flat().map(({ declarations }) => declarations),
    { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2023, types: [], noEmit: true },
  );
  const surfaces = new Map(
    packages.map(({ folder }, at) => [`${folder}.txt`, printSurface(program, entries[at] ?? [])]),
  );
  if (update) {
    rmSync(snapshots, { recursive: true, force: true });
    mkdirSync(snapshots);
    for (const [file, text] of surfaces) writeFileSync(join(snapshots, file), text);
  }
  return changedSurfaces(surfaces).map(
    (file) =>
      `${relative(".", join(snapshots, file))} differs from what is exported: run \`node scripts/check-packages.mjs --update\`, and review the change`,
  );
}

/** @param {ReadonlyMap<string, string>} surfaces */
function changedSurfaces(surfaces) {
  const kept = readdirSync(snapshots);
  const isKept = (/** @type {[string, string]} */ [file, text]) =>
    kept.includes(file) && readFileSync(join(snapshots, file), "utf8") === text;
  return [
    ...[...surfaces].filter((surface) => !isKept(surface)).map(([file]) => file),
    ...kept.filter((file) => !surfaces.has(file)),
  ];
}

/**
 * What one imports, and its declarations in the workspace, which are those in the tarball.
 * @typedef {object} Entry
 * @property {string} specifier
 * @property {string} declarations
 */

/**
 * @param {Packed} packed
 * @returns {readonly Entry[]}
 */
function publicEntries({ name, folder, manifest }) {
  return Object.entries(manifest.exports).flatMap(([path, entry]) =>
    typeof entry === "string" || path === "./internal"
      ? []
      : [{ specifier: join(name, path), declarations: resolve("packages", folder, entry["types"] ?? "") }],
  );
}

/**
 * The declarations that the entries of a package export, each once.
 * @param {ts.Program} program
 * @param {readonly Entry[]} entries
 */
function printSurface(program, entries) {
  const checker = program.getTypeChecker();
  /** @type {Map<ts.Symbol, string>} */
  const printed = new Map();
  const sections = entries.map(({ specifier, declarations }) => {
    const names = new Map(
      exportsOf(program, declarations).map(({ name, symbol }) => [name, original(checker, symbol)]),
    );
    const rows = [...names].sort(byName).map(([name, symbol]) => {
      const earlier = printed.get(symbol);
      printed.set(symbol, earlier ?? specifier);
      return earlier === undefined ? printSymbol(name, symbol) : `// ${name}, as in ${earlier}\n`;
    });
    return [`// ${specifier} exports:\n`, ...rows].join("\n");
  });
  return sections.join("\n");
}

/**
 * @param {ts.Program} program
 * @param {string} declarations
 */
function exportsOf(program, declarations) {
  const source = program.getSourceFile(declarations);
  const module = source && program.getTypeChecker().getSymbolAtLocation(source);
  if (module === undefined) throw new Error(`${declarations} is not a module. Run \`node scripts/build.mjs --types\`.`);
  return program
    .getTypeChecker()
    .getExportsOfModule(module)
    .map((symbol) => ({ name: symbol.name, symbol }));
}

/**
 * @param {ts.TypeChecker} checker
 * @param {ts.Symbol} symbol
 */
const original = (checker, symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol);

/** @param {ts.Node} node */
const statementOf = (node) => (ts.isVariableDeclaration(node) ? node.parent.parent : node);

/**
 * @param {string} name
 * @param {ts.Symbol} symbol
 */
function printSymbol(name, { declarations = [] }) {
  const texts = declarations.map((node) =>
    printer
      .printNode(ts.EmitHint.Unspecified, statementOf(node), node.getSourceFile())
      .replace(/^(?:export |declare )+/, ""),
  );
  return `// ${name}\n${texts.join("\n")}\n`;
}

/**
 * @param {readonly [string, unknown]} a
 * @param {readonly [string, unknown]} b
 */
const byName = ([a], [b]) => (a < b ? -1 : Number(a > b));
