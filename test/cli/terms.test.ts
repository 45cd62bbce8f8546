import { memoryTermsStore } from "@tollgate/core";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type CliUnderTest, openCli } from "./in-process.ts";

let terms: ReturnType<typeof memoryTermsStore>;
let cli: CliUnderTest;

beforeEach(() => {
  terms = memoryTermsStore();
  cli = openCli({ terms });
});
afterEach(() => cli.close());

const list = async (...options: string[]) =>
  JSON.parse((await cli.run(["terms", "list", ...options, "--json"])).out).acceptances;

it("terms accept records an acceptance once", async () => {
  const first = JSON.parse((await cli.run(["terms", "accept", "acme", "v1", "--json"])).out);
  const accepted = await terms.acceptance("acme", ["v1"]);
  expect(first).toEqual({ account: "acme", versionId: "v1", acceptedAt: accepted?.acceptedAt.toISOString() });
  expect(await cli.run(["terms", "accept", "acme", "v1"])).toEqual({
    code: 0,
    out: `acme has accepted v1 since ${first.acceptedAt}.\n`,
    err: "",
  });
});

it("terms list reads all pages, of one account or one version", async () => {
  for (let count = 0; count < 503; count++) await terms.accept(`a${count}`, "v1");
  const own = await terms.accept("acme", "v2");
  expect(await list()).toHaveLength(504);
  const shape = { ...own, acceptedAt: own.acceptedAt.toISOString() };
  expect(await list("--account", "acme")).toEqual([shape]);
  expect(await list("--version-id", "v2")).toEqual([shape]);
  expect(await list("--account", "acme", "--version-id", "v1")).toEqual([]);
});

it("terms list fits into a terminal", async () => {
  expect((await cli.run(["terms", "list"])).out).toBe("No acceptances were found.\n");
  await terms.accept("customer-".repeat(8), "version-".repeat(8));
  const { out } = await cli.run(["terms", "list"], { columns: 70 });
  expect(out.split("\n").map((line) => line.length <= 70)).toEqual([true, true, true]);
  expect(out).toMatch(/^ACCOUNT +VERSION +ACCEPTED\ncustomer-\S*… +version-\S*… +\d{4}-/);
});
