import { readFileSync } from "node:fs";
import { type App, type AppChoices, type PublicApp, partsOf, variablesOf } from "./choices.ts";
import { pieces, tsconfig, versions } from "./pieces.generated.ts";
import { writeReadme } from "./readme.ts";

/** Returns the text of every file of an app, by its path. */
export function appFiles(app: App): Readonly<Record<string, string>> {
  return {
    ".env": environmentFile(app, app.password),
    ".env.example": environmentFile(app, ""),
    ".gitignore": ["node_modules/", ".env", ...(app.store === "sqlite" ? [".tollgate/"] : []), ""].join("\n"),
    "README.md": writeReadme(app),
    "package.json": writeManifest(app),
    ...sources(app),
    ...(app.language === "ts" ? { "tsconfig.json": tsconfig } : {}),
  };
}

function sources({ framework, language, store, provider }: AppChoices): Readonly<Record<string, string>> {
  const files = {
    dashboard: pieces["shared/dashboard"],
    environment: pieces["shared/environment"],
    "first-key": pieces["shared/first-key"],
    gateway: pieces["shared/gateway"],
    main: pieces[`framework/${framework === "node:http" ? "node-http" : framework}`],
    provider: pieces[`provider/${provider}`],
    run: pieces["shared/run"],
    stores: pieces[`store/${store}`],
  };
  return Object.fromEntries(Object.entries(files).map(([name, piece]) => [`src/${name}.${language}`, piece[language]]));
}

const environmentFile = (chosen: AppChoices, password: string): string =>
  Object.entries({ DASHBOARD_PASSWORD: password, ...variablesOf(chosen), PORT: "8787" })
    .map(([name, value]) => `${name}=${value}\n`)
    .join("");

function writeManifest(app: PublicApp): string {
  const { name, language } = app;
  const parts = partsOf(app);
  const packages = ["@tollgate/core", "@tollgate/dashboard", "@tollgate/node"];
  const manifest = {
    name,
    private: true,
    version: "0.0.0",
    type: "module",
    engines: { node: ">=20.19" },
    scripts: scripts[language],
    dependencies: withVersions([...packages, ...parts.flatMap(({ dependencies }) => dependencies)]),
    ...(language === "ts"
      ? { devDependencies: withVersions([...tools, ...parts.flatMap(({ types = [] }) => types)]) }
      : {}),
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

const tools = ["@types/node", "tsx", "typescript"];

const scripts = {
  js: {
    start: "node --env-file=.env src/main.js",
    dev: "node --env-file=.env --watch src/main.js",
  },
  ts: {
    start: "node --env-file=.env --import tsx src/main.ts",
    dev: "node --env-file=.env --import tsx --watch src/main.ts",
    typecheck: "tsc",
  },
};

const known: Readonly<Record<string, string>> = versions;

function withVersions(names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries([...names].sort().map((name) => [name, known[name] ?? `^${ownVersion}`]));
}

/** The version of this package, and of all other packages of Tollgate. */
export const ownVersion: string = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;
