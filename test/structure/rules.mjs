import { isBuiltin } from "node:module";
import { posix } from "node:path";

/** @typedef {import("./source-files.mjs").Package} Package */
/** @typedef {import("./read-source.mjs").Source} Source */
/** @typedef {import("./read-source.mjs").Import} Import */

/**
 * The other packages that a package may import. Every package may import core, so core is not listed; a package that
 * is not listed may import only core. A test may also import the contract package.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const siblings = {
  "@tollgate/cli": ["@tollgate/management", "@tollgate/payments", "@tollgate/prices"],
  "@tollgate/contract": ["@tollgate/payments"],
  "@tollgate/dashboard": ["@tollgate/management"],
  "@tollgate/page-kit": ["@tollgate/management"],
  "@tollgate/portal": ["@tollgate/management"],
  "@tollgate/express": ["@tollgate/node"],
  "@tollgate/fastify": ["@tollgate/node"],
  "@tollgate/hono": ["@tollgate/node"],
  "@tollgate/postgres": ["@tollgate/payments"],
  "@tollgate/sqlite": ["@tollgate/payments"],
  "@tollgate/stripe": ["@tollgate/payments"],
};

/**
 * The packages of which only the files of one entry may import another package, so that a host which does not use it need not
 * install it: the other package, and the files.
 * @type {Readonly<Record<string, { readonly sibling: string, readonly files: RegExp }>>}
 */
const entriesOverSiblings = {
  "@tollgate/postgres": { sibling: "@tollgate/payments", files: /^packages\/postgres\/src\/payments(?:\/|\.ts$)/ },
  "@tollgate/sqlite": { sibling: "@tollgate/payments", files: /^packages\/sqlite\/src\/payments(?:\/|\.ts$)/ },
};

/** The packages that run on every platform with fetch. */
const runsEverywhere = new Set([
  "@tollgate/core",
  "@tollgate/assistants",
  "@tollgate/browser-tokens",
  "@tollgate/payments",
]);

/**
 * The framework of each adapter. An adapter may import only types of it, because a host that loads the framework by
 * `require` has a different copy from the one that an ES module imports.
 * @type {Readonly<Record<string, string>>}
 */
const frameworks = {
  "@tollgate/express": "express",
  "@tollgate/fastify": "fastify",
  "@tollgate/hono": "hono",
};

/**
 * The files of the packages that may open connections, and how: webhooks through the runner, which checks their targets,
 * and calls of providers. All other network access uses a client or server that the host passes in. The contract suites
 * connect to their own server, the exact-money suite to the gateway under test, and a page calls the server that it came from.
 * @type {readonly { readonly path: RegExp, readonly exit: RegExp }[]}
 */
const allowedExits = [
  { path: /^packages\/node\/src\/webhook\//, exit: /of node:(?:http|net|tls|dns\/promises)$/ },
  { path: /^packages\/node\/src\/load-pool\.ts$/, exit: /^all of undici$/ },
  { path: /^packages\/core\/src\/providers\/fetch-transport\.ts$/, exit: /^fetch$/ },
  { path: /^packages\/page-kit\/src\/api\/client\.ts$/, exit: /^fetch$/ },
  { path: /^packages\/elements\/src\/request\.ts$/, exit: /^fetch$/ },
  { path: /^packages\/contract\/src\/stop-listening\.ts$/, exit: /^connect of node:net$/ },
  { path: /^packages\/exact-money\/src\/client\/client\.ts$/, exit: /^request of node:http$/ },
];

/**
 * Returns every violation of the rules on text and dependencies that the linters do not check, each as one line that
 * says what to do.
 * @param {readonly Package[]} packages
 * @param {ReadonlySet<string>} rootDependencies
 * @returns {readonly string[]}
 */
export function findViolations(packages, rootDependencies) {
  return packages.flatMap((each) => [
    ...declaredSiblings(each),
    ...each.sources.flatMap((source) => [
      ...checkText(source),
      ...checkExits(source),
      ...source.imports.flatMap((entry) => {
        const problem = checkImport(each, source, entry, rootDependencies);
        return problem === undefined ? [] : [`${source.path}:${entry.line} ${problem}`];
      }),
    ]),
  ]);
}

/** @param {Source} source */
function checkText(source) {
  const vague = source.path.split(/[/.]/).find((part) => /^(?:utils?|helpers?)$|-(?:utils?|helpers?)$/.test(part));
  return [
    ...(vague === undefined
      ? []
      : [`${source.path}:1 is named "${vague}". Name the file after its contents, or split it.`]),
    ...source.starExports.map((line) => `${source.path}:${line} re-exports with a star. List the names.`),
    ...source.bareSuppressions.map(
      (line) => `${source.path}:${line} disables a lint rule without a reason. Fix the code, or add " -- <reason>".`,
    ),
    ...(source.isTest || !source.path.startsWith("packages/") ? [] : source.undocumented).map(
      ({ name, line }) => `${source.path}:${line} exports ${name} without a comment. Say in a sentence what it is.`,
    ),
  ];
}

/** @param {Source} source */
function checkExits({ path, isTest, exits }) {
  if (isTest || !/^packages\/[^/]+\/src\//.test(path)) return [];
  return exits
    .filter(({ what }) => !allowedExits.some((allowed) => allowed.path.test(path) && allowed.exit.test(what)))
    .map(({ what, line }) => `${path}:${line} uses ${what}. Only packages/node/src/webhook may open connections.`);
}

/**
 * @param {Package} each
 * @param {Source} source
 * @param {Import} entry
 * @param {ReadonlySet<string>} rootDependencies
 * @returns {string | undefined}
 */
function checkImport(each, source, { from, typeOnly }, rootDependencies) {
  if (from.startsWith(".")) return checkRelative(each, source, from);
  if (isBuiltin(from)) return checkBuiltin(each, source, from);
  const name = packageName(from);
  if (name.startsWith("@tollgate/") && !maySee(each, source, name)) {
    return `imports ${name}, which ${each.folder} may not import. Move the shared code into core, or pass it in.`;
  }
  if (!typeOnly && !source.isTest && frameworks[each.name] === name) {
    return `imports ${from} at run time. Use "import type": a host may load a different copy by require.`;
  }
  const entry = entriesOverSiblings[each.name];
  if (entry?.sibling === name && !source.isTest && !entry.files.test(source.path)) {
    return `imports ${name}, which only the entry over it may import. Move the code to the files of that entry.`;
  }
  const declared =
    name === each.name ||
    each.dependencies.has(name) ||
    (source.isTest && (each.devDependencies.has(name) || rootDependencies.has(name)));
  return declared ? undefined : `imports ${name} undeclared. Add it to ${each.folder}/package.json.`;
}

/**
 * @param {Package} each
 * @param {Source} source
 * @param {string} from
 */
function checkRelative(each, source, from) {
  const target = posix.join(posix.dirname(source.path), from);
  // The pages show the files of all guides in one folder, which is that of the shop.
  const isGuide =
    ["examples/mounts", "examples/clients"].includes(each.folder) && target.startsWith("examples/shop/src/");
  if (!isGuide && !target.startsWith(`${each.folder}/`)) {
    return `imports "${from}", which is outside its package. Import the other package by its name.`;
  }
  const { files } = entriesOverSiblings[each.name] ?? {};
  if (files?.test(target) && !files.test(source.path) && !source.isTest) {
    return `imports "${from}", which belongs to an entry of its own. Move the shared code out of it.`;
  }
  return /\.(?:[cm]?tsx?|json)$/.test(from) ? undefined : `imports "${from}". End a relative import in ".ts".`;
}

/**
 * @param {Package} each
 * @param {Source} source
 * @param {string} from
 */
function checkBuiltin(each, source, from) {
  if (source.isTest) return undefined;
  if (runsEverywhere.has(each.name)) {
    const name = each.name.replace("@tollgate/", "");
    return `imports ${from}, but ${name} runs on every platform with fetch. Use the web API or process.getBuiltinModule.`;
  }
  return from.startsWith("node:") ? undefined : `imports "${from}". Write "node:${from}".`;
}

/** @param {Package} each */
function declaredSiblings(each) {
  return [...each.dependencies]
    .filter((name) => name.startsWith("@tollgate/") && !mayDependOn(each, name))
    .map((name) => `${each.folder}/package.json:1 depends on ${name}, which it may not import. Remove it.`);
}

/**
 * @param {Package} each
 * @param {Source} source
 * @param {string} name
 */
const maySee = (each, source, name) =>
  name === each.name || mayDependOn(each, name) || (source.isTest && name === "@tollgate/contract");

/**
 * @param {Package} each
 * @param {string} name
 */
function mayDependOn(each, name) {
  if (each.folder.startsWith("examples/")) return true;
  if (each.name === "@tollgate/core") return false;
  return name === "@tollgate/core" || (siblings[each.name] ?? []).includes(name);
}

/** @param {string} from */
const packageName = (from) =>
  from
    .split("/")
    .slice(0, from.startsWith("@") ? 2 : 1)
    .join("/");
