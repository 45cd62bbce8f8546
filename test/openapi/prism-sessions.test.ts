import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { nodeHandler } from "@tollgate/node";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type AssistantUnderTest, assistantUnderTest } from "../support/assistant-under-test.ts";
import { installPrism, type ValidatingProxy, validatingProxy } from "./validating-proxy.ts";

let under: AssistantUnderTest;
let server: Server;
let proxy: ValidatingProxy;

beforeAll(async () => {
  await installPrism();
  under = await assistantUnderTest();
  under.think((_request, call) =>
    call === 1 ? { calls: [["find_order", { number: 17 }]] } : { content: "It is on its way." },
  );
  server = createServer(nodeHandler(under.gateway.sessions, { prefix: "" }));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  proxy = await validatingProxy("packages/assistants/src/openapi/sessions.json", url);
}, 120_000);

afterAll(async () => {
  await proxy?.[Symbol.asyncDispose]();
  server?.closeAllConnections();
  server?.close();
  await under?.close();
});

async function ask(method: string, path: string, body?: object) {
  const response = await fetch(`${proxy.url}/session${path}`, {
    method,
    headers: { authorization: `Bearer ${under.secret}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, text };
}

it("Prism finds no violation in the life of a session", async () => {
  const created = await ask("POST", "", { assistant_id: "shop", client_data: { customer: "Ann" } });
  expect(created).toMatchObject({ status: 201 });
  const { id }: { id: string } = JSON.parse(created.text);
  const steps: readonly (readonly [method: string, path: string, body: object | undefined, status: number])[] = [
    ["POST", `/${id}/messages`, { content: "Where is my order?" }, 200],
    ["POST", `/${id}/messages`, { content: [{ type: "text", text: "Thanks" }], stream: true }, 200],
    ["GET", `/${id}/messages?limit=2`, undefined, 200],
    ["GET", `/${id}/logs`, undefined, 200],
    ["PUT", `/${id}`, { client_data: { customer: null, seen: true } }, 200],
    ["GET", `/${id}`, undefined, 200],
    ["GET", "?limit=1", undefined, 200],
    ["POST", "", { assistant_id: "unknown" }, 400],
    ["GET", `/${id}/logs?before=x`, undefined, 400],
    ["DELETE", `/${id}`, undefined, 204],
    ["GET", `/${id}`, undefined, 404],
  ];
  for (const [method, path, body, status] of steps) {
    const { status: received, text } = await ask(method, path, body);
    expect([method, path, received, text]).toEqual([method, path, status, expect.not.stringContaining("stoplight.io")]);
  }
});
