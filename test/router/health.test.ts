import { healthEndpoints, type Mountable } from "@tollgate/core";
import { describe, expect, it } from "vitest";
import { gatewayUnderTest } from "../support/gateway-under-test.ts";

const ask = async (mountable: Mountable, path: string, accept = "*/*") => {
  const response = await mountable.fetch(new Request(`http://gateway.test${path}`, { headers: { accept } }));
  return { status: response.status, text: await response.text() };
};

describe("the health endpoints", () => {
  it("answer 200 while the gateway takes requests", async () => {
    const health = healthEndpoints({ gateway: gatewayUnderTest().gateway, ready: { database: () => "pong" } });
    expect(await ask(health, "/livez")).toEqual({ status: 200, text: "ok\n" });
    expect(await ask(health, "/readyz")).toEqual({ status: 200, text: "ok\n" });
  });

  it("answer JSON to those who accept it", async () => {
    const health = healthEndpoints({ gateway: gatewayUnderTest().gateway });
    expect(await ask(health, "/readyz", "application/json")).toEqual({
      status: 200,
      text: '{"status":"ok","reasons":[]}',
    });
  });

  it("say that a draining process is alive and not ready", async () => {
    const { gateway } = gatewayUnderTest();
    const health = healthEndpoints({ gateway });
    await gateway.drain();
    expect(await ask(health, "/livez")).toMatchObject({ status: 200 });
    expect(await ask(health, "/readyz")).toEqual({ status: 503, text: "unavailable\ndraining\n" });
  });

  it("name the checks that fail or do not answer, without their errors", async () => {
    const health = healthEndpoints({
      gateway: gatewayUnderTest().gateway,
      ready: {
        database: () => Promise.reject(new Error("connect to db.internal:5432 as admin")),
        cache: () => new Promise(() => undefined),
        queue: () => {
          throw new Error("queue.internal");
        },
        other: () => undefined,
      },
    });
    const text = "unavailable\ndatabase does not answer\ncache does not answer\nqueue does not answer\n";
    expect(await ask(health, "/readyz")).toEqual({ status: 503, text });
  });

  it("are not ready while new requests are refused because charges are not taken", async () => {
    const { gateway } = gatewayUnderTest();
    const behind = { unread: gateway.unread, inspect: () => ({ ...gateway.inspect(), settlementsBehind: true }) };
    const health = healthEndpoints({ gateway: behind });
    expect(await ask(health, "/readyz")).toEqual({ status: 503, text: "unavailable\nsettlements are behind\n" });
  });

  it("refuse a gateway that is none", () => {
    // @ts-expect-error -- A host without types may pass anything.
    expect(() => healthEndpoints({ gateway: {} })).toThrow(/`gateway` must be a gateway/);
  });
});
