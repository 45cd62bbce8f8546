import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { attribute, metric } from "./conventions.ts";

const folder = new URL(".", import.meta.url);
const sources = readdirSync(folder)
  .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && name !== "conventions.ts")
  .map((name) => [name, readFileSync(new URL(name, folder), "utf8")] as const);
const names: readonly string[] = [...Object.values(attribute), ...Object.values(metric)];

it("has every name of an attribute and a metric, and no other source file has one", () => {
  const quoted = /["'`]((?:gen_ai|tollgate|error|http)\.[\w.]+)/g;
  const elsewhere = sources.flatMap(([file, text]) => [
    ...names.filter((name) => text.includes(`"${name}"`)).map((name) => [file, name]),
    ...[...text.matchAll(quoted)].map(([, name]) => [file, name]),
  ]);
  expect(elsewhere).toEqual([]);
  expect(sources.length).toBeGreaterThan(5);
});

it("gives each attribute and each metric a name of its own", () => {
  expect(new Set(Object.values(attribute)).size).toBe(Object.keys(attribute).length);
  expect(new Set(Object.values(metric)).size).toBe(Object.keys(metric).length);
});
