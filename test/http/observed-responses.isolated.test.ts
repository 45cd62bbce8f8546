import { hasSubscribers } from "node:diagnostics_channel";
import { createServer } from "node:http";
import { nodeHandler } from "@tollgate/node";
import { expect, it, vi } from "vitest";
import { gatewayUnderTest } from "../support/gateway-under-test.ts";
import { listen } from "./mounts/mount.ts";

const channel = "http.server.response.finish";

// One test, because the gateways of a process share the observation.
it("the responses of a process are observed until a POST has reached each mount or it has warned", async () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  expect(hasSubscribers(channel)).toBe(false);
  const [first, second] = [gatewayUnderTest().gateway, gatewayUnderTest().gateway];
  const handlers = [nodeHandler(first, { prefix: "/first" }), nodeHandler(second, { prefix: "/second" })] as const;
  const host = await listen(
    createServer((req, res) => {
      void handlers[0](req, res, () => handlers[1](req, res, () => res.writeHead(404).end()));
    }),
  );
  const ask = async (method: string, path: string) => {
    const headers = { authorization: "Bearer tg_any", connection: "close" };
    return (await fetch(`http://127.0.0.1:${host.port}${path}`, { method, headers })).status;
  };
  expect(await ask("GET", "/first/models")).toBe(401);
  expect(await ask("POST", "/first/chat/completions")).toBe(401);
  expect([hasSubscribers(channel), warn.mock.calls.length]).toEqual([true, 0]);
  expect(await ask("POST", "/third/chat/completions")).toBe(404);
  expect([hasSubscribers(channel), warn.mock.calls.length]).toEqual([false, 1]);
  expect(warn.mock.calls[0]?.[0]).toContain('which is mounted at "/second"');
  expect(await ask("POST", "/third/chat/completions")).toBe(404);
  expect(warn).toHaveBeenCalledTimes(1);
  await host.close();
  warn.mockRestore();
});
