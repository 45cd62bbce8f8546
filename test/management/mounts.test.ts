import { management } from "@tollgate/management";
import { describe, expect, it } from "vitest";
import type { Mount, Variant } from "../http/mounts/mount.ts";
import { mountedOnce } from "../http/mounts/mounts.ts";
import { authorizeTokens, memoryStores, prefix, sceneGateway, tokens } from "./scene.ts";
import { usageRow } from "./usage-row.ts";

interface MountedScene extends AsyncDisposable {
  readonly stores: ReturnType<typeof memoryStores>;
  ask(method: string, path: string, headers: Readonly<Record<string, string>>, body?: string): Promise<Response>;
}

/** A management API whose operators have a token or the cookie "session=ada". */
async function setScene(mount: Mount, variant: Variant): Promise<MountedScene> {
  const stores = memoryStores();
  const gateway = sceneGateway(stores);
  const api = management({
    gateway,
    stores,
    authorize: (request) =>
      request.headers.get("cookie") === "session=ada" ? { actor: "ada", role: "admin" } : authorizeTokens(request),
    observer: () => undefined,
  });
  const host = await mount.start({ "/router/v1": gateway, [prefix]: api }, variant);
  return {
    stores,
    ask: (method, path, headers, body) =>
      fetch(`http://127.0.0.1:${host.port}${prefix}${path}`, {
        method,
        headers: { connection: "close", ...headers },
        ...(body === undefined ? {} : { body }),
      }),
    [Symbol.asyncDispose]: () => host.close(),
  };
}

const json = { "content-type": "application/json" };
const admin = { authorization: `Bearer ${tokens.admin}` };
const cookie = { cookie: "session=ada" };
const newKey = JSON.stringify({ account: "acme", plan: "prepaid" });

describe.each(mountedOnce)("the management API on $title", ({ mount, variant }) => {
  it("refuses strangers, forged cookies, viewers who write, and pages of other sites, and changes nothing", async () => {
    await using scene = await setScene(mount, variant);
    const create = async (headers: Readonly<Record<string, string>>) => {
      const response = await scene.ask("POST", "/keys", { ...json, ...headers }, newKey);
      return [response.status, (await response.json()).error?.code];
    };
    expect(await create({})).toEqual([401, "authorization_required"]);
    expect(await create({ cookie: "session=eve" })).toEqual([401, "authorization_required"]);
    expect(await create({ authorization: `Bearer ${tokens.viewer}` })).toEqual([403, "role_required"]);
    expect(await create(cookie)).toEqual([403, "origin_refused"]);
    expect(await create({ ...cookie, origin: "https://evil.test" })).toEqual([403, "origin_refused"]);
    expect(await create({ ...cookie, "sec-fetch-site": "cross-site" })).toEqual([403, "origin_refused"]);
    expect(scene.stores.keys.list({ limit: 1 })).toEqual({ keys: [] });
    expect(await create({ ...cookie, "sec-fetch-site": "same-origin" })).toEqual([201, undefined]);
    expect(await create(admin)).toEqual([201, undefined]);
  });

  it("changes and removes at paths with ids, and reads ids with slashes", async () => {
    await using scene = await setScene(mount, variant);
    const { key } = await scene.stores.keys.create({ account: "acme", plan: "prepaid" });
    const patched = await scene.ask("PATCH", `/keys/${key.id}`, { ...json, ...admin }, '{"name":"shop"}');
    expect([patched.status, (await patched.json()).name]).toEqual([200, "shop"]);
    const revoked = await scene.ask("POST", `/keys/${key.id}/revoke`, admin);
    expect([revoked.status, (await revoked.json()).state]).toEqual([200, "revoked"]);
    const model = await scene.ask("GET", "/models/org%2Flarge", admin);
    expect([model.status, (await model.json()).id]).toEqual([200, "org/large"]);
  });

  it("streams an export of several pages", async () => {
    await using scene = await setScene(mount, variant);
    scene.stores.usage.record(Array.from({ length: 1_200 }, () => usageRow()));
    const response = await scene.ask("GET", "/requests?format=csv", admin);
    const lines = (await response.text()).split("\r\n");
    expect([response.status, lines.length]).toEqual([200, 1_202]);
  });
});
