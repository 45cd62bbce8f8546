import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type StrangerApp, strangerApp } from "./stranger-app.ts";
import { supportedTypeScript } from "./supported-typescript.ts";

/** `npm run test:all -- typescript` tries all versions, with two kinds of module resolution. */
const isWhole = process.env["TYPESCRIPT"] === "all";
const tried = supportedTypeScript.filter((_, at) => isWhole || at === 0 || at === supportedTypeScript.length - 1);
const resolutions = ["nodenext", ...(isWhole ? ["bundler"] : [])];

const { devDependencies: versions } = JSON.parse(readFileSync("test/package.json", "utf8"));
const manifests = readdirSync("packages")
  .map((name) => JSON.parse(readFileSync(`packages/${name}/package.json`, "utf8")))
  .filter(({ name, private: isPrivate }) => name.startsWith("@tollgate/") && isPrivate !== true);
/** Custom elements are for pages, whose projects have the library of the DOM. The build checks their declarations with it. */
const forPages = "@tollgate/elements";
const entries = manifests.flatMap(({ name, exports }) =>
  Object.keys(exports).flatMap((path) => (name === forPages || path.endsWith(".json") ? [] : [join(name, path)])),
);
const peers = ["@ai-sdk/provider", "@opentelemetry/api", "express", "fastify", "hono", "@types/express"];

/** Hono's declarations need TypeScript 5.7, and those of `@ai-sdk/provider` a package of types that it does not install. */
const ofOthers = /^node_modules\/(?:hono|@ai-sdk\/provider)\//;

let app: StrangerApp;
beforeAll(async () => {
  app = await strangerApp(
    ["typescript"],
    [
      ...manifests.map(({ name }) => name),
      ...peers.map((name) => `${name}@${versions[name]}`),
      "@types/node@20",
      ...tried.map((version) => `typescript-${version}@npm:typescript@${version}`),
    ],
  );
  writeFileSync(
    join(app.folder, "typescript/every-entry.mts"),
    entries.map((entry) => `import "${entry}";\n`).join(""),
  );
  writeFileSync(join(app.folder, "typescript/host.mts"), readFileSync("test/packages/hosts/esm-host.mts", "utf8"));
}, 150_000);
afterAll(() => app?.[Symbol.dispose]());

it.concurrent.each(tried.flatMap((version) => resolutions.map((resolution) => [version, resolution])))(
  "TypeScript %s checks the declarations of every entry with moduleResolution %s",
  async (version, resolution) => {
    const compiler = join("node_modules", `typescript-${version}`, "bin/tsc");
    const project = ["-p", `typescript/tsconfig.${resolution}.json`, "--pretty", "false"];
    const output = await app.run("node", compiler, ...project).catch(String);
    const errors = output.split("\n").filter((line) => /\berror\b/.test(line) && !ofOthers.test(line));
    expect(errors).toEqual([]);
    expect(output).toMatch(/^$|error TS/);
  },
);
