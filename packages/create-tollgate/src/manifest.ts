import type { PublicApp } from "./app.ts";
import { partsOf } from "./choices.ts";
import { ownVersion } from "./own-version.ts";
import { versions } from "./pieces.generated.ts";

/** Returns the package.json of an app. */
export function writeManifest(app: PublicApp): string {
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
