import { portal } from "@tollgate/portal";
import { describe, expect, it } from "vitest";
import { mountedOnce } from "../http/mounts/mounts.ts";
import { memoryStores, sceneGateway } from "../management/scene.ts";
import { authorize, prefix, storesOf } from "./scene.ts";

describe.each(mountedOnce)("the portal on $title", ({ mount, variant }) => {
  it("serves the page, its assets and the API with one policy, and makes a change", async () => {
    const stores = memoryStores();
    const gateway = sceneGateway(stores);
    const page = portal({ gateway, stores: storesOf(stores), authorize, keys: { plan: "prepaid" } });
    const host = await mount.start({ "/router/v1": gateway, [prefix]: page }, variant);
    const ask = (path: string, init: RequestInit = {}) =>
      fetch(`http://127.0.0.1:${host.port}${prefix}${path}`, {
        ...init,
        headers: { cookie: "person=ann", connection: "close", "sec-fetch-site": "same-origin", ...init.headers },
        redirect: "manual",
      });
    const html = await ask("/keys?id=key_1");
    const asset = await ask(`/${/assets\/[^"]+\.js/.exec(await html.text())?.[0]}`);
    const me = await ask("/api/me");
    expect(await me.json()).toMatchObject({ account: "acme", user: "ann" });
    for (const { status, headers } of [html, asset, me]) {
      expect([status, headers.get("content-security-policy")]).toEqual([
        200,
        expect.stringMatching(/^default-src 'none'; .*require-trusted-types-for 'script'$/),
      ]);
    }
    const headers = { "content-type": "application/json" };
    const created = await ask("/api/keys", { method: "POST", headers, body: JSON.stringify({ name: "ci" }) });
    expect([created.status, await created.json()]).toMatchObject([201, { key: { name: "ci" } }]);
    await host.close();
  });
});
