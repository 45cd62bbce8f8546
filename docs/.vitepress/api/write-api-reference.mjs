import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Application } from "typedoc";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** What every package exports, except what the packages of this workspace share among themselves: the source and its name. */
const entries = readdirSync(`${root}packages`).flatMap((name) => {
  const { exports } = JSON.parse(readFileSync(`${root}packages/${name}/package.json`, "utf8"));
  return Object.entries(exports).flatMap(([path, entry]) =>
    typeof entry === "string" || path === "./internal"
      ? []
      : [{ source: `${name}/${entry["@tollgate/source"].replace("./", "")}`, name: `${name}${path.slice(1)}` }],
  );
});

/** The names of entries by those that TypeDoc derives from their sources. */
const names = new Map(entries.map(({ source, name }) => [source.replace(/(?:\/index)?\.ts$/, ""), name]));

/** @type {import("typedoc").TypeDocOptions & Partial<import("typedoc-plugin-markdown").PluginOptions>} */
const options = {
  entryPoints: entries.map(({ source }) => `${root}packages/${source}`),
  tsconfig: `${root}docs/.vitepress/api/tsconfig.json`,
  // `npm test` checks the types of the sources.
  skipErrorChecking: true,
  excludeExternals: true,
  excludeInternal: true,
  disableSources: true,
  readme: "none",
  out: `${root}docs/api.generated`,
  plugin: ["typedoc-plugin-markdown"],
  outputFileStrategy: "modules",
  entryFileName: "index",
  hideBreadcrumbs: true,
  hidePageHeader: true,
  useCodeBlocks: true,
  sanitizeComments: true,
  // Its links count headings of the same name otherwise than the site does.
  useHTMLAnchors: true,
  groupOrder: ["Functions", "Interfaces", "Type Aliases", "Classes", "Variables"],
  classPropertiesFormat: "table",
  parametersFormat: "table",
  interfacePropertiesFormat: "table",
  typeDeclarationFormat: "table",
  pageTitleTemplates: { index: "API reference", module: ({ name }) => `@tollgate/${name}` },
};

const app = await Application.bootstrapWithPlugins(options);
const project = await app.convert();
if (project === undefined) throw new Error("TypeDoc could not read the packages. Correct the errors above.");
for (const module of project.children ?? []) module.name = names.get(module.name) ?? module.name;
await app.generateOutputs(project);
if (app.logger.hasErrors() || app.logger.hasWarnings()) process.exitCode = 1;
