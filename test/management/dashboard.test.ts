import { dashboard } from "@tollgate/dashboard";
import { describe, expect, it } from "vitest";
import type { Mount, Variant } from "../http/mounts/mount.ts";
import { mounted, mountedOnce } from "../http/mounts/mounts.ts";
import { authorizeTokens, memoryStores, sceneGateway, tokens } from "./scene.ts";

const prefix = "/ops/tollgate";
const admin = { authorization: `Bearer ${tokens.admin}` };

function dashboardUnderTest(authorize = authorizeTokens) {
  const stores = memoryStores();
  const gateway = sceneGateway(stores);
  return { gateway, page: dashboard({ gateway, stores, authorize, observer: () => undefined }) };
}

async function setScene(mount: Mount, variant: Variant) {
  const { gateway, page } = dashboardUnderTest();
  const host = await mount.start({ "/router/v1": gateway, [prefix]: page }, variant);
  return {
    ask: (path: string, headers: Readonly<Record<string, string>> = admin) =>
      fetch(`http://127.0.0.1:${host.port}${prefix}${path}`, {
        headers: { ...headers, connection: "close" },
        redirect: "manual",
      }),
    [Symbol.asyncDispose]: () => host.close(),
  };
}

describe.each(mountedOnce)("the dashboard on $title", ({ mount, variant }) => {
  it("serves the page, its assets and the API with one policy", async () => {
    await using scene = await setScene(mount, variant);
    const page = await scene.ask("/keys?id=key_1");
    const html = await page.text();
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    const asset = await scene.ask(`/${/assets\/[^"]+\.js/.exec(html)?.[0]}`);
    expect([asset.status, asset.headers.get("content-type")]).toEqual([200, "text/javascript; charset=utf-8"]);
    const me = await scene.ask("/api/me");
    expect(await me.json()).toMatchObject({ actor: "ada", role: "admin" });
    for (const { headers } of [page, asset, me]) {
      expect(headers.get("content-security-policy")).toMatch(
        /^default-src 'none'; .*require-trusted-types-for 'script'$/,
      );
    }
  });

  it("serves nothing to a stranger", async () => {
    await using scene = await setScene(mount, variant);
    for (const path of ["/", "/usage", "/assets/index.js", "/api/me"]) {
      expect([path, (await scene.ask(path, {})).status]).toEqual([path, 401]);
    }
  });
});

/** The hosts of the tests that pass the prefix without its slash on. */
const withBarePrefix = mounted.filter(
  ({ mount: { name }, variant }) =>
    !name.startsWith("Fetch on") && !(name.startsWith("Fastify") && variant === "parsed"),
);

describe.each(withBarePrefix)("the dashboard on $title", ({ mount, variant }) => {
  it("redirects the prefix to its slash", async () => {
    await using scene = await setScene(mount, variant);
    const { status, headers } = await scene.ask("?range=7d");
    expect([status, headers.get("location")]).toEqual([308, "./tollgate/?range=7d"]);
    expect((await scene.ask("/")).status).toBe(200);
  });
});

describe("the dashboard by fetch", () => {
  const at = (path: string) => new Request(`https://host.test${path}`, { headers: admin });

  it("redirects the prefix to its slash", async () => {
    const { page } = dashboardUnderTest();
    const { status, headers } = await page.fetch(at("/tollgate"), { basePath: "/tollgate" });
    expect([status, headers.get("location")]).toEqual([308, "./tollgate/"]);
    expect((await page.fetch(at("/tollgate/"), { basePath: "/tollgate" })).status).toBe(200);
    expect((await page.fetch(at("/tollgates"), { basePath: "/tollgate" })).status).toBe(404);
  });

  it("passes a redirect to the login of the host on as it is", async () => {
    const { page } = dashboardUnderTest(() => new Response(null, { status: 302, headers: { location: "/login" } }));
    const { status, headers } = await page.fetch(at("/usage"));
    expect([status, headers.get("location"), headers.get("content-security-policy")]).toEqual([302, "/login", null]);
  });

  it("answers 304 for an asset that the browser has", async () => {
    const { page } = dashboardUnderTest();
    const html = await (await page.fetch(at("/"))).text();
    const asset = at(`/${/assets\/[^"]+\.css/.exec(html)?.[0]}`);
    const first = await page.fetch(asset);
    const again = new Request(asset, { headers: { ...admin, "if-none-match": first.headers.get("etag") ?? "" } });
    expect((await page.fetch(again)).status).toBe(304);
  });

  it("requires authorize", () => {
    const { gateway } = dashboardUnderTest();
    // @ts-expect-error -- A host without types may leave it out.
    expect(() => dashboard({ gateway, stores: {} })).toThrow(/dashboard.*`authorize` .*is missing/s);
  });
});
