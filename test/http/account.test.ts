import { memoryUsageStore } from "@tollgate/core";
import { describe, expect, it } from "vitest";
import { gatewayUnderTest } from "../support/gateway-under-test.ts";
import { completionOf } from "../support/scripted-provider.ts";
import { mountGateway } from "./mounted-gateway.ts";
import { mountedOnce } from "./mounts/mounts.ts";

const origin = "https://app.example";

describe.each(mountedOnce)("the account of a key on $title", ({ mount, variant }) => {
  it("is shown by its balance, its usage and its receipts, and changes nothing", async () => {
    const tested = gatewayUnderTest({ usage: { store: memoryUsageStore() }, currency: "EUR" });
    tested.provider.script = { complete: async () => completionOf("Hi") };
    await using host = await mountGateway(tested.gateway, mount, variant);
    const authorization = `Bearer ${await tested.key({ name: "CI" })}`;
    const get = async (path: string) => {
      const answer = await host.send(path, { headers: { authorization } });
      return { status: answer.status, body: await answer.json() };
    };
    const answer = await host.send("/chat/completions", {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body: JSON.stringify({ model: "plain", messages: [{ role: "user", content: "Hello" }] }),
    });
    const { id } = await answer.json();
    expect(await get("/key")).toMatchObject({ status: 200, body: { data: { label: "CI", usage: 0.00002 } } });
    expect(await get("/credits")).toMatchObject({
      status: 200,
      body: { data: { total_credits: 1, total_usage: 0.00002 }, balance: { currency: "EUR", posted: "0.99998" } },
    });
    expect(await get(`/generation?id=${id}`)).toMatchObject({ status: 200, body: { receipt: { cost: "0.00002" } } });
    expect(await get("/generation?id=none")).toMatchObject({
      status: 404,
      body: { error: { code: "generation_not_found" } },
    });
    expect(await get("/usage?group_by=model")).toMatchObject({ status: 200, body: { group_by: "model" } });
    expect(await get("/usage?group_by=none")).toMatchObject({ status: 400, body: { error: { param: "group_by" } } });
    for (const path of ["/key", "/credits", "/usage", "/generation"]) {
      const posted = await host.send(path, { method: "POST", headers: { authorization } });
      expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET"]);
      await posted.text();
    }
  });

  it("is shown as a CSV file of the size that it says", async () => {
    const tested = gatewayUnderTest({ usage: { store: memoryUsageStore() } });
    await using host = await mountGateway(tested.gateway, mount, variant);
    const answer = await host.send("/usage?format=csv", { headers: { authorization: `Bearer ${await tested.key()}` } });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"]);
    expect(await answer.text()).toMatch(/^"start","group",.*"cost"\r\n$/);
  });
});

describe.each(mountedOnce.filter(({ variant }) => variant !== "middleware"))("on $title", ({ mount, variant }) => {
  it("a page of an allowed origin reads the balance", async () => {
    const tested = gatewayUnderTest({ cors: { origins: [origin] } });
    await using host = await mountGateway(tested.gateway, mount, variant);
    const asked = { origin, "access-control-request-method": "GET", "access-control-request-headers": "authorization" };
    const preflight = await host.send("/credits", { method: "OPTIONS", headers: asked });
    expect([preflight.status, preflight.headers.get("access-control-allow-methods")]).toEqual([204, "GET"]);
    const authorization = `Bearer ${await tested.key()}`;
    const answer = await host.send("/credits", { headers: { origin, authorization } });
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([200, origin]);
    await answer.text();
  });
});
