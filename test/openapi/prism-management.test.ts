import { afterAll, beforeAll, expect, it } from "vitest";
import { type Scene, setScene, tokens } from "../management/scene.ts";
import { installPrism, type ValidatingProxy, validatingProxy } from "./validating-proxy.ts";

let scene: Scene;
let proxy: ValidatingProxy;

beforeAll(async () => {
  await installPrism();
  scene = await setScene();
  proxy = await validatingProxy("packages/management/openapi/management.json", scene.url);
}, 120_000);

afterAll(async () => {
  await proxy?.[Symbol.asyncDispose]();
  await scene?.[Symbol.asyncDispose]();
});

type Role = keyof typeof tokens;

async function ask(method: string, path: string, body?: object, role: Role = "admin") {
  const response = await fetch(`${proxy.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${tokens[role]}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(path.endsWith("/credits") ? { "idempotency-key": "invoice-17" } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

const credit = { amount: "10", reason: "Invoice 17" };
const newKey = { account: "acme", plan: "prepaid", spend: { limit: "5", window: "day", timezone: "Asia/Tokyo" } };
const limit = { limit: "20", window: "month" };

it("Prism finds no violation in the life of an account and its key", async () => {
  const created = await ask("POST", "/keys", newKey);
  expect(created).toMatchObject({ status: 201 });
  const { id }: { id: string } = JSON.parse(created.text).key;
  const steps: readonly (readonly [method: string, path: string, body: object | undefined, status: number])[] = [
    ["POST", "/accounts/acme/credits", credit, 200],
    ["POST", "/accounts/acme/credits", credit, 200],
    ["POST", "/accounts/acme/credits", { ...credit, amount: "11" }, 409],
    ["POST", "/accounts/acme/debits", credit, 200],
    ["PUT", "/accounts/acme/spend-limit", limit, 200],
    ["GET", "/accounts/acme", undefined, 200],
    ["GET", "/accounts/acme/entries?limit=1", undefined, 200],
    ["DELETE", "/accounts/acme/spend-limit", undefined, 200],
    ["GET", `/keys/${id}`, undefined, 200],
    ["PATCH", `/keys/${id}`, { name: "Production" }, 200],
    ["PATCH", `/keys/${id}`, { spend: null }, 200],
    ["POST", `/keys/${id}/rotate`, { grace_seconds: 0 }, 201],
    ["POST", `/keys/${id}/revoke`, undefined, 200],
    ["GET", "/keys/unknown", undefined, 404],
    ["POST", "/keys", { ...newKey, plan: "unknown" }, 400],
  ];
  for (const [method, path, body, status] of steps) {
    const answer = await ask(method, path, body);
    expect([method, path, answer]).toEqual([
      method,
      path,
      { status, text: expect.not.stringContaining("stoplight.io") },
    ]);
  }
});

it.each([
  "/me",
  "/health",
  "/models",
  "/models/plain",
  "/plans",
  "/keys?state=active&limit=2",
  "/accounts?limit=2",
  "/usage?bucket=day&group_by=model",
  "/requests",
  "/terms",
  "/assistants",
  "/assistants/support",
  "/conversations?assistant=support",
  "/audit?limit=5",
])("Prism finds no violation in GET %s", async (path) => {
  const answer = await ask("GET", path, undefined, "viewer");
  expect(answer).toEqual({ status: 200, text: expect.not.stringContaining("stoplight.io") });
});

it("Prism finds no violation in the answer to a role that may not", async () => {
  const answer = await ask("POST", "/keys", newKey, "viewer");
  expect(answer).toEqual({ status: 403, text: expect.stringContaining("role_required") });
});

it("Prism refuses what the management API would refuse", async () => {
  expect(await ask("POST", "/keys", { account: "acme" })).toEqual({
    status: 422,
    text: expect.stringContaining("plan"),
  });
});
