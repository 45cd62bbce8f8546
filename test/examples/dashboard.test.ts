import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "tollgate-dashboard-"));
const password = "correct horse battery";
let server: Server;
let url: string;

beforeAll(async () => {
  process.env["DATABASE_FILE"] = join(folder, "acme.db");
  process.env["DASHBOARD_PASSWORD"] = password;
  const { app } = await import("../../examples/shop/src/app.ts");
  server = createServer(app).listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/tollgate`;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

const statusOf = async (path: string, headers: Record<string, string> = {}): Promise<number> =>
  (await fetch(url + path, { headers, redirect: "manual" })).status;

it("the dashboard of the guide answers whoever knows the password, and nobody else", async () => {
  const authorization = `Basic ${btoa(`admin:${password}`)}`;
  expect(await statusOf("/keys")).toBe(401);
  expect(await statusOf("/keys", { authorization })).toBe(200);
  expect(await statusOf("", { authorization })).toBe(308);
});

it("every store of the guide is there", async () => {
  const headers = { authorization: `Basic ${btoa(`admin:${password}`)}` };
  for (const path of ["keys", "accounts", "accounts/nobody/entries", "terms", "usage", "conversations", "audit"]) {
    const query = path === "usage" ? "?from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z" : "";
    expect([path, await statusOf(`/api/${path}${query}`, headers)]).toEqual([path, 200]);
  }
});
