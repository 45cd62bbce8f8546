import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";

beforeEach(() => {
  vi.resetModules();
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
});
afterEach(() => {
  vi.doUnmock("undici");
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Sends a request with the given replacement for undici; returns the status and body. */
async function send(undici?: () => object, transports = 1) {
  if (undici !== undefined) vi.doMock("undici", undici);
  const { pooledTransport } = await import("./pooled-transport.ts");
  const server = createServer((_request, response) => response.end("Hello")).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  const transport = Array.from({ length: transports }, () => pooledTransport())[0] ?? pooledTransport();
  const ask = () => {
    const { signal } = new AbortController();
    return transport({ method: "GET", url: `http://127.0.0.1:${port}/`, headers: {}, signal, connectMs: 1_000 });
  };
  const { status, body } = await ask();
  const text = await new Promise<string>((resolve, reject) => {
    let all = "";
    body.pipeTo({
      write: (chunk) => {
        all += new TextDecoder().decode(chunk);
      },
      close: () => resolve(all),
      fail: reject,
    });
  });
  await transport.destroy();
  await expect(ask()).rejects.toMatchObject({ failure: "unreachable" });
  return [status, text];
}

it("sends with undici when its `dispatch` exists, and does not warn", async () => {
  const sent = vi.spyOn(globalThis, "fetch");
  expect(await send()).toEqual([200, "Hello"]);
  expect(sent).not.toHaveBeenCalled();
  expect(console.warn).not.toHaveBeenCalled();
});

it.each([
  ["has no dispatch", () => ({ Pool: class {} }), "the installed undici has no `dispatch` method"],
  [
    "does not load",
    () => {
      throw new Error("It needs a newer Node.");
    },
    "undici cannot be loaded",
  ],
])("sends with fetch when undici %s, and warns once", async (_name, undici, reason) => {
  expect(await send(undici, 3)).toEqual([200, "Hello"]);
  expect(console.warn).toHaveBeenCalledOnce();
  expect(console.warn).toHaveBeenCalledWith(expect.stringContaining(reason));
});

it("sends with fetch on workerd, which does not compile undici's parser", async () => {
  vi.stubGlobal("navigator", { userAgent: "Cloudflare-Workers" });
  expect(await send()).toEqual([200, "Hello"]);
  expect(console.warn).toHaveBeenCalledWith(expect.stringContaining("because workerd does not support undici"));
});
