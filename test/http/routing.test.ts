import { openaiCompatible } from "@tollgate/core";
import { describe, expect, it } from "vitest";
import { startUpstream } from "../upstream/upstream.ts";
import { mountedOnce, mountedWith } from "./mounts/mounts.ts";
import { RawConnection } from "./raw-connection.ts";
import { gatewayBehind, prefix, setScene } from "./scene.ts";

const freeModels = (ids: readonly string[]) => {
  const provider = openaiCompatible({ baseURL: "http://127.0.0.1:1", apiKey: "sk-1" });
  return ids.map((id) => ({ id, maxOutputTokens: 1, price: "free", targets: [{ provider, model: id }] }) as const);
};

describe.each(mountedOnce)("$title", ({ mount, variant }) => {
  it("leaves other paths to the host", async () => {
    await using scene = await setScene(mount, variant);
    const client = await scene.connect();
    const ask = async (method: string, path: string) => {
      client.write(scene.request(method, path));
      return client.response();
    };
    expect(await ask("GET", `${prefix}/own`)).toMatchObject({ status: 200 });
    for (const path of [`${prefix}/unknown`, `${prefix}/models/`, prefix, `${prefix}x/models`, "/models", "/"]) {
      const { status, headers } = await ask("GET", path);
      expect([path, status, headers.get("x-answered-by")]).toEqual([path, 404, "host"]);
    }
  });

  it.each([
    ["plain", "plain"],
    ["acme/small:8b", "acme/small:8b"],
    ["acme%2Fsmall%3A8b", "acme/small:8b"],
    ["50%25%20%C3%BC", "50% \u00fc"],
    ["plain?x=1", "plain"],
  ])("returns the same model for GET /models/%s as in the list", async (encoded, id) => {
    await using scene = await setScene(mount, variant, {
      models: freeModels(["plain", "acme/small:8b", "50% \u00fc"]),
    });
    const client = await scene.connect();
    const ask = async (path: string) => {
      client.write(scene.request("GET", `${prefix}${path}`));
      const { status, body } = await client.response();
      return { status, body: JSON.parse(body) };
    };
    const { body: list } = await ask("/models");
    expect(await ask(`/models/${encoded}`)).toEqual({
      status: 200,
      body: list.data.find((entry: { id: string }) => entry.id === id),
    });
    const { status, body } = await ask("/models/acme%2Funknown");
    expect([status, body.error.code, body.error.type]).toEqual([404, "model_not_found", "not_found_error"]);
    expect(body.error.message).toContain("`acme/unknown`");
  });

  it("ignores the query of an endpoint", async () => {
    await using scene = await setScene(mount, variant);
    const client = await scene.connect();
    client.write(scene.request("GET", `${prefix}/models?after=/own&x=1`));
    expect((await client.response()).status).toBe(200);
  });

  it.each([
    ["DELETE", "/models", "GET"],
    ["POST", "/models", "GET"],
    ["GET", "/chat/completions", "POST"],
    ["DELETE", "/models/acme/small", "GET"],
    ["PATCH", "/chat/completions", "POST"],
  ])("answers %s %s with 405 and the allowed method", async (method, path, allowed) => {
    await using scene = await setScene(mount, variant);
    const client = await scene.connect();
    client.write(scene.request(method, `${prefix}${path}`));
    const { status, headers, body } = await client.response();
    expect(status).toBe(405);
    expect(headers.get("allow")).toBe(allowed);
    expect(JSON.parse(body).error.code).toBe("method_not_allowed");
  });

  it("answers a WebSocket handshake with 426, after which agents use HTTP on the same host", async () => {
    await using scene = await setScene(mount, variant);
    const client = await scene.connect();
    const handshake = { connection: "Upgrade", upgrade: "WebSocket", "sec-websocket-version": "13" };
    client.write(scene.request("GET", `${prefix}/responses`, undefined, handshake));
    const { status, headers, body } = await client.response();
    expect([status, headers.get("upgrade"), headers.get("connection")?.toLowerCase()]).toEqual([
      426,
      "HTTP/1.1",
      "upgrade",
    ]);
    expect(JSON.parse(body).error.code).toBe("websocket_not_supported");
    const next = await scene.connect();
    next.write(scene.request("GET", `${prefix}/responses`));
    expect((await next.response()).status).toBe(405);
  });

  it("leaves HEAD and OPTIONS to the host", async () => {
    await using scene = await setScene(mount, variant);
    for (const method of ["HEAD", "OPTIONS"]) {
      const client = await scene.connect();
      const preflight = { origin: "https://app.test", "access-control-request-method": "GET" };
      client.write(scene.request(method, `${prefix}/models`, undefined, preflight));
      const { status, headers } = await client.until(() => true);
      expect(headers.has("x-request-id")).toBe(false);
      // The host's own CORS middleware answers OPTIONS, and its 404 the rest.
      expect(status).toBe(variant === "middleware" && method === "OPTIONS" ? 204 : 404);
    }
  });

  it("separates two gateways at two prefixes", async () => {
    const upstream = await startUpstream();
    const [first, second] = [gatewayBehind(upstream, "first"), gatewayBehind(upstream, "second")];
    const host = await mount.start({ "/first/v1": first.gateway, "/second": second.gateway }, variant);
    const list = async (path: string, secret: string) => {
      const client = await RawConnection.open(host.port);
      client.write(`GET ${path}/models HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${secret}\r\n\r\n`);
      const { status, body } = await client.response();
      client.leave();
      return status === 200 ? JSON.parse(body).data.map(({ id }: { id: string }) => id) : status;
    };
    expect(await list("/first/v1", await first.key())).toEqual(["first"]);
    expect(await list("/second", await second.key())).toEqual(["second"]);
    expect(await list("/second", await first.key())).toBe(401);
    await host.close();
    await upstream.close();
  });
});

describe.each(mountedWith("absolute form"))("$title", ({ mount, variant }) => {
  it("accepts a request target in absolute form, as clients of a proxy send it", async () => {
    await using scene = await setScene(mount, variant);
    const client = await scene.connect();
    for (const [path, status] of [
      [`${prefix}/models?x=1`, 200],
      [`${prefix}/own`, 200],
      ["/models", 404],
    ] as const) {
      client.write(scene.request("GET", `http://gateway.test${path}`));
      expect([path, (await client.response()).status]).toEqual([path, status]);
    }
  });
});
