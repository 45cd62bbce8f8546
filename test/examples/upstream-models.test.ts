import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { httpUpstream, type Upstream } from "../providers/upstream.ts";
import { newCustomer } from "./new-customer.ts";

const folder = mkdtempSync(join(tmpdir(), "tollgate-upstream-models-"));
const listed = ["gpt-5", "gpt-5-audio", "gpt-5-mini-2024", "whisper-1"].map((id) => ({ id, object: "model" }));
let upstream: Upstream;

beforeAll(async () => {
  upstream = await httpUpstream((_, response) => response.end(JSON.stringify({ object: "list", data: listed })));
  process.env["DATABASE_FILE"] = join(folder, "acme.db");
  process.env["OPENAI_BASE_URL"] = upstream.baseURL;
});

afterAll(async () => {
  await upstream.close();
  rmSync(folder, { recursive: true });
});

it("the guide's gateway offers the models of its upstream that have a price", async () => {
  const warnings: unknown[] = [];
  const consoleError = vi.spyOn(console, "error").mockImplementation((...messages) => void warnings.push(...messages));
  const { gateway, models } = await import("../../examples/mounts/src/upstream-models.ts");
  consoleError.mockRestore();
  models.close();
  expect(warnings).toEqual([expect.stringContaining('"gpt-5-audio"')]);
  const secret = await newCustomer("customer-17");
  const headers = { authorization: `Bearer ${secret}` };
  const answer = await gateway.fetch(new Request("http://host.test/router/v1/models", { headers }));
  expect(await answer.json()).toMatchObject({ data: [{ id: "acme/gpt-5" }, { id: "acme/gpt-5-mini-2024" }] });
}, 60_000);
