import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { parseEnv } from "node:util";
import { parse as parseToml } from "smol-toml";
import { describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import { suites } from "../../scripts/workspace/suites.mjs";
import { allPages, type Block, blocksOf, filesUnder } from "./markdown.ts";

const pages = allPages();
const blocks = pages.flatMap(blocksOf);
const title = ({ page, line, language }: Block) => `${page}:${line} (${language || "no language"})`;
const withTitles = (chosen: readonly Block[]) => chosen.map((block) => [title(block), block] as const);
const inLanguage = (...languages: readonly string[]) => blocks.filter(({ language }) => languages.includes(language));

/** Files of programs that are not Node, which the tests of examples and deployments parse, validate or run. */
const configurations = [".yaml", ".yml", ".toml", ".service", ".cfg", "Dockerfile"];
/** The tests compile the examples and run them, so a block that stands in one is compiled and run. */
const sources = [
  ...filesUnder("examples", [".ts", ".mjs", ".json", ...configurations]),
  // The architecture shows the path itself.
  "packages/core/src/model-call.ts",
].map((path) => sourceOf(path));
const standsInExample = (code: string) => sources.some((source) => `\n${source}\n`.includes(`\n${code}\n`));

/** Files that a script writes from a heredoc, whose delimiter names their language. */
const parsers: Readonly<Record<string, (text: string) => unknown>> = {
  TOML: parseToml,
  YAML: parseYaml,
  ENV: parseEnv,
};
const heredocs = inLanguage("sh").flatMap((block) =>
  [...block.code.matchAll(/<<'?(\w+)'?$\n(.*?)\n\1$/gms)].map(([, name = "", text = ""]) => ({ block, name, text })),
);

const configured = ["yaml", "toml", "ini", "haproxy", "dockerfile"];

describe("a block of code in the documentation", () => {
  it("has a language that is checked here", () => {
    const checked = ["ts", "js", "json", "sh", "mermaid", ...configured];
    expect(blocks.filter(({ language }) => !checked.includes(language)).map(title)).toEqual([]);
    expect(blocks.length).toBeGreaterThan(40);
  });

  it.each(withTitles(inLanguage("ts", "js", ...configured)))(
    "stands in an example word for word: %s",
    (_title, { code }) => {
      expect(standsInExample(code), `Put this into a file of examples/:\n${code}`).toBe(true);
    },
  );

  it.each(withTitles(inLanguage("json")))("is JSON, or lines of it: %s", (_title, { code }) => {
    const texts = code.startsWith("{\n") ? [code] : code.split("\n");
    for (const text of texts) expect(() => JSON.parse(text)).not.toThrow();
  });

  it.each(withTitles(inLanguage("sh")))("is a script that bash can read: %s", (_title, { code }) => {
    const { status, stderr } = spawnSync("bash", ["-n"], { input: code.replace(/<\w+>/g, "x"), encoding: "utf8" });
    expect([status, stderr]).toEqual([0, ""]);
  });

  it.each(heredocs.map(({ block, name, text }) => [name, title(block), text]))(
    "writes a file of %s that can be parsed: %s",
    (name, _title, text) => {
      expect(Object.keys(parsers)).toContain(name);
      expect(parsers[name]?.(text)).toEqual(expect.any(Object));
    },
  );

  it("writes files of each of these languages", () => {
    expect(new Set(heredocs.map(({ name }) => name))).toEqual(new Set(Object.keys(parsers)));
  });

  it.each(withTitles(inLanguage("ts")))("imports files that its page names: %s", (_title, { page, code }) => {
    const text = pages.find(({ path }) => path === page)?.text ?? "";
    const files = [...code.matchAll(/ from "\.\/([\w-]+\.ts)"/g)].map(([, file]) => `\`${file}\``);
    expect(files.filter((file) => !text.includes(file))).toEqual([]);
  });

  it("names only commands that there are", () => {
    const { scripts }: { scripts: object } = JSON.parse(readFileSync("package.json", "utf8"));
    const named = (pattern: RegExp) =>
      pages.flatMap(({ text }) => [...text.matchAll(pattern)].map(([, name = ""]) => name));
    const ofNpm = named(/\bnpm run (?:-s |--silent )?([a-z][\w:-]*)/g);
    const files = named(/\bnode (?:\.\.\/tollgate\/)?((?:scripts|test)\/[\w/-]+\.mjs)/g);
    const ofSuites = named(/\btest:all -- ([a-z][a-z-]*(?: [a-z][a-z-]*)*)/g).flatMap((names) => names.split(" "));
    expect(ofNpm.filter((name) => !(name in scripts))).toEqual([]);
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
    expect(ofSuites.filter((name) => !suites.some((suite) => suite.name === name))).toEqual([]);
    for (const { length } of [ofNpm, files, ofSuites]) expect(length).toBeGreaterThan(3);
  });

  it("stands on a page that links to the installation if it installs packages of this repository", () => {
    const installs = /npm (?:install|create)[^\n]*tollgate/;
    const found = pages.filter(({ path, text }) => installs.test(text) && /^(?:README|docs|packages)/.test(path));
    const unlinked = found.filter(
      ({ path, text }) => !/CHANGELOG|installation\.md$/.test(path) && !text.includes("installation.md)"),
    );
    expect(unlinked.map(({ path }) => path)).toEqual([]);
    expect(found.length).toBeGreaterThan(25);
  });

  it("installs only packages that there are", () => {
    const own = filesUnder("packages", ["package.json"]).map((path) => JSON.parse(readFileSync(path, "utf8")).name);
    const named = inLanguage("sh").flatMap(({ code }) => code.match(/@tollgate\/[\w-]+/g) ?? []);
    expect(named.filter((name) => !own.includes(name))).toEqual([]);
  });
});

it("every example of the guides stands in a page", () => {
  const shown = new Set(inLanguage("ts", "js", "json", ...configured).map(({ code }) => code));
  const files = ["shop", "mounts", "first-app", "clients", "packages"]
    .map((name) => `examples/${name}/src`)
    .flatMap((folder) => filesUnder(folder, [".ts"]));
  const hosts = filesUnder("examples/hosts", [".ts"]).filter(
    (file) => !/shop-controller|index\.ts$|2\/routes\/a/.test(file),
  );
  const single = [
    "examples/mounts/order-desk.json",
    "examples/shop/tollgate.config.mjs",
    "examples/cluster/tollgate.config.mjs",
    "examples/first-app/app.mjs",
  ];
  const migrations = filesUnder("examples/mounts/migration", [".yaml", ".json"]);
  const deployments = filesUnder("examples/cluster", configurations).filter((file) => !file.includes("/grafana/"));
  const missing = [...files, ...hosts, ...single, ...migrations, ...deployments].filter(
    (file) => !shown.has(sourceOf(file)),
  );
  expect(missing.map((file) => basename(file))).toEqual([]);
});

it("every example of a host has less than 40 lines", () => {
  const lengths = filesUnder("examples/hosts", [".ts", ".tsx"]).map((file) => [
    file,
    readFileSync(file, "utf8").trimEnd().split("\n").length,
  ]);
  expect(lengths.filter(([, length]) => Number(length) >= 40)).toEqual([]);
  expect(lengths.length).toBeGreaterThan(25);
});

it("the README has at most 200 lines", () => {
  expect(readFileSync("README.md", "utf8").trimEnd().split("\n").length).toBeLessThanOrEqual(200);
});

/** Returns the text of an example. All files of a reader are in one folder, and so are the imports that the pages show. */
function sourceOf(path: string): string {
  return readFileSync(path, "utf8")
    .trimEnd()
    .replaceAll(/ from "(?:\.\.\/)+shop\/src\//g, ' from "./');
}
