import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { appFiles } from "create-tollgate";
import ts from "typescript";
import { afterAll, expect, it } from "vitest";
import { everyApp } from "./every-app.ts";

// The apps find their packages in this workspace.
const root = mkdtempSync(join(tmpdir(), "tollgate-written-"));
symlinkSync(resolve("test/node_modules"), join(root, "node_modules"));
afterAll(() => rmSync(root, { recursive: true }));

const apps = everyApp.map((app) => ({ app, files: appFiles(app) }));
for (const { app, files } of apps)
  for (const [path, text] of Object.entries(files)) {
    const file = join(root, "apps", app.name, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

it("there are 96 combinations", () => {
  expect(new Set(apps.map(({ app }) => app.name)).size).toBe(4 * 2 * 3 * 4);
});

it.each(apps.map(({ app, files }) => [app.name, app, files] as const))(
  "%s has the files of an app",
  (_, app, files) => {
    const sources = ["dashboard", "environment", "first-key", "gateway", "main", "provider", "run", "stores"];
    expect(Object.keys(files).sort()).toEqual(
      [
        ...[".env", ".env.example", ".gitignore", "README.md", "package.json"],
        ...sources.map((name) => `src/${name}.${app.language}`),
        ...(app.language === "ts" ? ["tsconfig.json"] : []),
      ].sort(),
    );
    expect(files[".gitignore"]).toContain(".env\n");
    expect(files[".env"]).toContain(app.password);
    expect(Object.entries(files).filter(([path, text]) => path !== ".env" && text.includes(app.password))).toEqual([]);
  },
);

it.each(apps.map(({ app, files }) => [app.name, files] as const))("%s declares and has what it imports", (_, files) => {
  const manifest = JSON.parse(files["package.json"] ?? "");
  const imported = Object.entries(files).flatMap(([path, text]) =>
    path.startsWith("src/") ? ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName) : [],
  );
  const own = imported.filter((name) => name.startsWith("./")).map((name) => join("src", name));
  expect(own.filter((path) => !(path in files))).toEqual([]);
  const packages = imported
    .filter((name) => !/^(?:\.|node:)/.test(name))
    .map((name) => name.match(/^(?:@[^/]+\/)?[^/]+/)?.[0]);
  expect(Object.keys(manifest.dependencies)).toEqual([...new Set(packages)].sort());
});

it("every app in TypeScript compiles with its own settings, and every app in JavaScript parses", () => {
  const [first] = apps.filter(({ app }) => app.language === "ts");
  const settings = {
    extends: `./apps/${first?.app.name}/tsconfig.json`,
    compilerOptions: { allowJs: true },
    include: ["apps/*/src"],
  };
  writeFileSync(join(root, "tsconfig.json"), JSON.stringify(settings));
  const compile = (...options: readonly string[]) =>
    spawnSync(process.execPath, [resolve("node_modules/typescript7/bin/tsc"), "-p", root, ...options], {
      encoding: "utf8",
    });
  expect(compile()).toMatchObject({ status: 0, stdout: "" });
  const listed = compile("--listFilesOnly")
    .stdout.split("\n")
    .filter((path) => /\/src\/main\.[jt]s$/.test(path));
  expect(listed).toHaveLength(apps.length);
});

it("every file is formatted", () => {
  writeFileSync(
    join(root, "biome.json"),
    readFileSync("biome.json", "utf8").replace('"useIgnoreFile": true', '"useIgnoreFile": false'),
  );
  const { status, stderr } = spawnSync(resolve("node_modules/.bin/biome"), ["format", "apps"], {
    cwd: root,
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([0, expect.stringMatching(/^Checked \d{3,} files/)]);
});
