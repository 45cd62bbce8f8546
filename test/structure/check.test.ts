import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { inspectStructure } from "./inspect-structure.mjs";

const workspace = resolve(import.meta.dirname, "../..");
const checkScript = join(import.meta.dirname, "check.mjs");
let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "tollgate-structure-"));
  cpSync(join(workspace, ".oxlintrc.json"), join(root, ".oxlintrc.json"));
  writeFile("package.json", '{"devDependencies":{"vitest":"1"}}');
  writePackage("core", {});
  writeFile("packages/core/src/index.ts", 'export { price } from "./price.ts";\n');
  writeFile("packages/core/src/price.ts", "/** The price. */\nexport const price = 1;\n");
});

afterEach(() => rmSync(root, { recursive: true }));

describe("the structure check", () => {
  it("accepts a workspace without violations and prints the medians", () => {
    writePackage("express", { "@tollgate/core": "1", "@tollgate/node": "1" });
    writeFile("packages/express/src/index.ts", 'export { price } from "@tollgate/core";\nimport "@tollgate/node";\n');
    writeFile("packages/core/src/price.test.ts", 'import "node:fs";\nimport "vitest";\n');
    writeFile("packages/core/src/sum.ts", "/** A sum. */\nexport function sum() {\n  return 1;\n}\n");

    expect(inspectStructure(root)).toMatchObject({
      violations: [],
      summary:
        "Structure: 4 files, median 2 lines, longest 4; 1 named functions, median 3 lines, longest 3; 0 violations.",
    });
    expect(run(checkScript, root)).toMatchObject({ status: 0, stderr: "" });
  });

  it("prints each violation on one line and exits with 1", () => {
    writeFile("packages/core/src/price.ts", "export const a = 1;\n\nexport const b = 1;\n");
    const { status, stderr } = run(checkScript, root);
    expect(stderr).toBe(
      "packages/core/src/price.ts:1 exports a without a comment. Say in a sentence what it is.\n" +
        "packages/core/src/price.ts:3 exports b without a comment. Say in a sentence what it is.\n",
    );
    expect(status).toBe(1);
  });

  it("rejects a folder without sources", () => {
    rmSync(join(root, "packages"), { recursive: true });
    expect(inspectStructure(root).violations).toEqual([expect.stringContaining("There is no source")]);
  });

  it.each([
    ["a sibling in core", 'import "@tollgate/node";', "1 imports @tollgate/node, which packages/core may not import"],
    ["a type of a sibling in core", 'type A = import("@tollgate/node").A;', "1 imports @tollgate/node, which"],
    ["a Node module in core", 'import { join } from "node:path";', "1 imports node:path, but core runs on every"],
    ["a Node module without its prefix", 'import "crypto";', "1 imports crypto, but core runs on every"],
    ["a dynamic import of a Node module in core", '\nawait import("node:fs");', "2 imports node:fs, but core runs"],
    ["an undeclared dependency", 'export { v } from "valibot/x";', "1 imports valibot undeclared"],
    ["a development dependency of the root in a source", 'import "vitest";', "1 imports vitest undeclared"],
    [
      "a path outside the package",
      'import "../../node/src/a.ts";',
      '1 imports "../../node/src/a.ts", which is outside',
    ],
    ["a relative import without its extension", 'import "./price";', '1 imports "./price". End a relative import'],
    ["a star export", 'export * from "./price.ts";', "1 re-exports with a star"],
    ["a namespace export", 'export * as all from "./price.ts";', "1 re-exports with a star"],
    ["an export without a comment", "export const a = 1;", "1 exports a without a comment"],
    [
      "a suppression without a reason",
      "// oxlint-disable-next-line no-eval",
      "1 disables a lint rule without a reason",
    ],
  ])("rejects %s", (_what, text, problem) => {
    writeFile("packages/core/src/seeded.ts", `${text}\n`);
    expect(inspectStructure(root).violations).toEqual([
      expect.stringContaining(`packages/core/src/seeded.ts:${problem}`),
    ]);
  });

  it.each([
    ["a client of Node", 'import { request } from "node:http";', "request of node:http"],
    ["a renamed client", 'import { request as createServer } from "node:https";', "request of node:https"],
    ["a whole module", 'import * as net from "node:net";', "all of node:net"],
    ["a default import", 'import tls, { Server } from "node:tls";', "all of node:tls"],
    ["a dynamic import", 'await import("node:dns");', "all of node:dns"],
    ["process.getBuiltinModule", 'process.getBuiltinModule?.("net");', "all of net"],
    ["a module loaded by another function", 'load("node:net");', "all of node:net"],
    ["an export of a client", 'export { connect } from "node:net";', "an export of node:net"],
    ["undici", 'import { Pool } from "undici";', "Pool of undici"],
    ["fetch", 'await fetch("https://example.com");', "fetch"],
    ["fetch of the global object", "const send = globalThis.fetch;", "fetch"],
    ["fetch by an index expression", 'globalThis["fetch"]("https://example.com");', "fetch"],
    ["fetch destructured from the global object", "const { fetch: send } = globalThis;", "fetch"],
    ["fetch in a shorthand property", "start({ fetch });", "fetch"],
    ["fetch outside the scope of a parameter of that name", "function a(fetch: () => void) {}\nfetch();", "fetch"],
    ["fetch from a package", 'import { fetch } from "undici";', "fetch"],
    ["a WebSocket", 'new WebSocket("wss://example.com");', "WebSocket"],
    ["a subclass of WebSocket", "class A extends WebSocket {}", "WebSocket"],
  ])("rejects network access outside the runner: %s", (_what, text, what) => {
    writePackage("node", { "@tollgate/core": "1", undici: "1" });
    writeFile("packages/node/src/seeded.ts", `${text}\n`);
    const uses = inspectStructure(root).violations.filter((each) => each.includes(" uses "));
    expect(uses).toEqual([expect.stringMatching(new RegExp(`^packages/node/src/seeded.ts:\\d uses ${what}\\. `))]);
  });

  it.each([
    [
      "types",
      'import type { Socket } from "node:net";\nimport { type Dispatcher } from "undici";\nlet a: typeof fetch;',
    ],
    [
      "functions that open no connection",
      'import { createServer } from "node:http";\nimport { isIP } from "node:net";',
    ],
    ["members of that name", "gateway.fetch(a);\nconst b = { fetch: 1, async WebSocket() {} };"],
    [
      "local variables of that name",
      "const a = (fetch: () => void) => fetch();\nfunction b() {\n  const { fetch } = a;\n  fetch();\n}",
    ],
  ])("does not treat as network access: %s", (_what, text) => {
    writePackage("node", { "@tollgate/core": "1", undici: "1" });
    writeFile("packages/node/src/seeded.ts", `${text}\n`);
    expect(inspectStructure(root).violations).toEqual([]);
  });

  it("allows the runner, the pool and the fetch transport network access, each only by its own means", () => {
    writePackage("node", { "@tollgate/core": "1", undici: "1" });
    writeFile("packages/node/src/webhook/dial.ts", 'import { connect } from "node:net";\n');
    writeFile("packages/node/src/load-pool.ts", 'void import("undici");\n');
    writeFile("packages/core/src/providers/fetch-transport.ts", "globalThis.fetch;\n");
    expect(inspectStructure(root).violations).toEqual([]);
    writeFile("packages/node/src/webhook/dial.ts", 'import { Pool } from "undici";\nfetch("https://example.com");\n');
    expect(inspectStructure(root).violations).toEqual([
      expect.stringContaining("packages/node/src/webhook/dial.ts:1 uses Pool of undici."),
      expect.stringContaining("packages/node/src/webhook/dial.ts:2 uses fetch."),
    ]);
  });

  it("allows the package of an entry to that entry alone, which no other file imports", () => {
    writePackage("sqlite", { "@tollgate/core": "1", "@tollgate/payments": "1" });
    const entry = 'import "@tollgate/payments/store";\n';
    writeFile("packages/sqlite/src/payments.ts", 'import "./payments/rows.ts";\nimport "./a.ts";\n');
    writeFile("packages/sqlite/src/payments/rows.ts", entry);
    writeFile("packages/sqlite/src/a.ts", 'import "@tollgate/core";\n');
    expect(inspectStructure(root).violations).toEqual([]);
    writeFile("packages/sqlite/src/a.ts", `${entry}import "./payments/rows.ts";\n`);
    expect(inspectStructure(root).violations).toEqual(
      expect.arrayContaining([
        expect.stringContaining("packages/sqlite/src/a.ts:1 imports @tollgate/payments, which only the entry over it"),
        expect.stringContaining('packages/sqlite/src/a.ts:2 imports "./payments/rows.ts", which belongs to an entry'),
      ]),
    );
  });

  it("rejects a store that imports another package, and the declared dependency", () => {
    writePackage("redis", { "@tollgate/core": "1", "@tollgate/node": "1" });
    writeFile("packages/redis/src/index.ts", 'import "@tollgate/core";\nimport "@tollgate/node";\n');
    expect(inspectStructure(root).violations).toEqual([
      expect.stringContaining("packages/redis/package.json:1 depends on @tollgate/node, which it may not import"),
      expect.stringContaining(
        "packages/redis/src/index.ts:2 imports @tollgate/node, which packages/redis may not import",
      ),
    ]);
  });

  it.each(['import { routePath } from "hono/route";', 'import "hono";', 'export { Hono } from "hono";'])(
    "rejects an adapter that imports more than types of its framework: %s",
    (text) => {
      writePackage("hono", { "@tollgate/core": "1", hono: "4" });
      writeFile("packages/hono/src/index.ts", `${text}\n`);
      expect(inspectStructure(root).violations).toEqual([
        expect.stringMatching(/^packages\/hono\/src\/index\.ts:1 imports hono\S* at run time/),
      ]);
    },
  );

  it("allows an adapter to import types of its framework", () => {
    writePackage("hono", { "@tollgate/core": "1", hono: "4" });
    const types =
      'import type { Context } from "hono";\nexport type { Next } from "hono";\ntype A = import("hono").Env;\n';
    writeFile("packages/hono/src/index.ts", types);
    expect(inspectStructure(root).violations).toEqual([]);
  });

  it.each(["utils.ts", "wire/helpers/price.ts", "money-utils.ts"])("rejects the file name %s", (name) => {
    writeFile(`packages/core/src/${name}`, "const a = 1;\n");
    expect(inspectStructure(root).violations).toEqual([expect.stringContaining("Name the file after its contents")]);
  });
});

describe("the layers of core", () => {
  const core = (path: string, text: string) => writeFile(`packages/core/src/${path}`, text);
  beforeEach(() => {
    for (const path of ["wire/a.ts", "ports/a.ts", "money/a.ts", "access/a.ts", "steps/a.ts"]) core(path, "");
  });

  it("accepts imports from lower layers and from the same folder", () => {
    core("money/b.ts", 'import "./a.ts";\nimport "../ports/a.ts";\nimport "../wire/a.ts";\n');
    core("steps/b.ts", 'import "../money/a.ts";\nimport "../access/a.ts";\n');
    expect(inspectStructure(root).violations).toEqual([]);
  });

  it.each([
    ["from a higher layer", 'import "../steps/a.ts";', "imports steps, which is in a higher layer."],
    ["of a type from a higher layer", 'import type { A } from "../steps/a.ts";', "imports steps, which is in a higher"],
    ["from the same layer", 'import "../access/a.ts";', "imports access, which is in the same layer."],
    ["of a file of src itself", 'import "../price.ts";', "imports ., which is in a higher layer."],
  ])("rejects an import %s", (_, text, problem) => {
    core("money/b.ts", `${text}\n`);
    expect(inspectStructure(root).violations).toEqual([expect.stringContaining(`money/b.ts:1 ${problem}`)]);
  });

  it("rejects a folder that is in no layer", () => {
    core("cash/a.ts", "");
    expect(inspectStructure(root).violations).toEqual([expect.stringContaining("src/cash:1 is in no layer.")]);
  });

  it("rejects an import cycle of folders within a layer", () => {
    core("money/in/a.ts", 'import "../b.ts";\n');
    core("money/b.ts", 'import "./in/b.ts";\n');
    core("money/in/b.ts", "");
    expect(inspectStructure(root).violations).toEqual([
      expect.stringContaining("closes an import cycle of the folders"),
      expect.stringContaining("closes an import cycle of the folders"),
    ]);
  });
});

describe("the linter's configuration", () => {
  it("accepts a workspace without violations", () => {
    expect(lint()).toEqual({ status: 0, rules: [] });
  });

  const lines = (count: number) => "void 0;\n".repeat(count);
  it.each([
    ["a file of 301 lines", "long.ts", lines(301), "eslint(max-lines)"],
    ["a function of 61 lines", "long.ts", `export function a() {\n${lines(59)}}\n`, "eslint(max-lines-per-function)"],
    ["any", "loose.ts", "export const a: any = 1;\n", "typescript(no-explicit-any)"],
    ["a suppressed compiler error", "loose.ts", "// @ts-ignore\nexport const a = 1;\n", "typescript(ban-ts-comment)"],
    ["a name that is not kebab-case", "looseName.ts", "export const a = 1;\n", "unicorn(filename-case)"],
    [
      "an import cycle, even of types only",
      "index.ts",
      'import type { Loop } from "./loop.ts";\nexport type Self = Loop;\n',
      "import(no-cycle)",
    ],
  ])("rejects %s", (_what, name, text, rule) => {
    writeFile("packages/core/src/loop.ts", 'import type { Self } from "./index.ts";\nexport type Loop = Self | 1;\n');
    writeFile(`packages/core/src/${name}`, text);
    const { status, rules } = lint();
    expect(rules).toContain(rule);
    expect(status).toBe(1);
  });
});

function writePackage(name: string, dependencies: Readonly<Record<string, string>>): void {
  writeFile(`packages/${name}/package.json`, JSON.stringify({ name: `@tollgate/${name}`, dependencies }));
}

function writeFile(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function lint() {
  const { status, stdout } = run(join(workspace, "node_modules/oxlint/bin/oxlint"), "--format", "json");
  const { diagnostics }: { diagnostics: { code: string }[] } = JSON.parse(stdout);
  return { status, rules: diagnostics.map(({ code }) => code) };
}

function run(script: string, ...parameters: string[]) {
  return spawnSync(process.execPath, [script, ...parameters], { cwd: root, encoding: "utf8" });
}
