import { dashboard } from "@tollgate/dashboard";
import { basicLogin, type ManagementOptions, management, managementTokens } from "@tollgate/management";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { managementRoutes } from "../../packages/management/src/route-table.ts";
import { gatewayUnderTest } from "../support/gateway-under-test.ts";
import { memoryStores, sceneGateway, setScene, tokens } from "./scene.ts";

const pathOf = (pattern: string): string => pattern.replace(/:id|\*$/, "some-id");

describe("the options of the management API", () => {
  it("require authorize, and say what to pass", () => {
    const options = { gateway: gatewayUnderTest().gateway, stores: {} };
    // @ts-expect-error -- A host without types may leave it out.
    expect(() => management(options)).toThrow(/`authorize` .*is missing/);
    // @ts-expect-error -- A host without types may pass anything.
    expect(() => management({ ...options, authorize: true })).toThrow(/pass `managementTokens/);
  });

  it("are checked all at once", () => {
    const options = { gateway: {}, stores: { audit: {} }, authorize: () => ({}), orgins: [] };
    // @ts-expect-error -- A host without types may pass anything.
    const create = () => management(options);
    expect(create).toThrow(/`gateway` must be/);
    expect(create).toThrow(/`stores.audit` must be an audit log/);
    expect(create).toThrow(/Did you mean origins/);
  });
});

describe("sign-out", () => {
  const password = "correct-horse";
  const headers = { authorization: `Basic ${btoa(`ann:${password}`)}` };
  const scene = memoryStores();
  const open = (options: Partial<ManagementOptions>) => {
    const page = dashboard({
      gateway: sceneGateway(scene),
      stores: scene,
      authorize: () => ({ actor: "ann", role: "viewer" }),
      ...options,
    });
    return (path: string) => page.fetch(new Request(`https://host.test${path}`, { headers }));
  };

  it("of basicLogin refuses one visit, so that the browser forgets, and leads one who logs in again to the page", async () => {
    const ask = open({ authorize: basicLogin({ user: "ann", password }) });
    expect(await (await ask("/api/me")).json()).toMatchObject({ sign_out_url: "sign-out" });
    const refused = await ask("/sign-out?visit=1");
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, expect.stringMatching(/^Basic /)]);
    const again = await ask("/sign-out?visit=1");
    expect([again.status, again.headers.get("location")]).toEqual([303, "./"]);
    expect((await ask("/sign-out?visit=2")).status).toBe(401);
  });

  it("of the host is at its own address, or nowhere", async () => {
    const own = await open({ signOutUrl: "/logout" })("/api/me");
    expect(await own.json()).toMatchObject({ sign_out_url: "/logout" });
    expect(await (await open({})("/api/me")).json()).toMatchObject({ sign_out_url: null });
  });
});

describe("authorization", () => {
  it("refuses a stranger at every route", async () => {
    await using scene = await setScene();
    for (const { method, path } of managementRoutes) {
      const { status, headers } = await scene.ask(method, pathOf(path), { as: null });
      expect([path, status]).toEqual([path, 401]);
      expect(headers.get("www-authenticate")).toBe("Bearer");
    }
  });

  it("refuses an unknown token", async () => {
    await using scene = await setScene();
    const headers = { authorization: `Bearer ${tokens.admin}x` };
    expect(await scene.ask("GET", "/me", { as: null, headers })).toMatchObject({ status: 401 });
  });

  it("refuses each role at the routes of a higher one", async () => {
    await using scene = await setScene();
    for (const { method, path, role } of managementRoutes) {
      const lower = ({ viewer: null, operator: "viewer", admin: "operator" } as const)[role];
      if (lower === null) continue;
      const { status, json } = await scene.ask(method, pathOf(path), {
        as: lower,
        ...(method === "GET" ? {} : { body: {} }),
      });
      expect([path, status]).toEqual([path, 403]);
      expect(json).toMatchObject({ error: { code: "role_required" } });
    }
  });

  it("answers with the response of the host, and asks it with the request", async () => {
    const seen: unknown[] = [];
    await using scene = await setScene({
      authorize: ({ method, url, headers }) => {
        seen.push([method, url, headers.get("Cookie"), headers.has("x-none")]);
        return new Response(null, { status: 302, headers: { location: "/login", "set-cookie": "a=b" } });
      },
    });
    const answer = await scene.ask("GET", "/me", { as: null, headers: { cookie: "session=1" } });
    expect(answer.status).toBe(302);
    expect(answer.headers.get("location")).toBe("/login");
    expect(answer.headers.get("set-cookie")).toBe("a=b");
    expect(seen).toEqual([["GET", expect.stringMatching(/\/manage\/me$/), "session=1", false]]);
  });

  it("answers 500 and reports it when authorize fails or returns anything else", async () => {
    const causes: unknown[] = [];
    let answer: () => unknown = () => ({ actor: "", role: "admin" });
    await using scene = await setScene({
      // @ts-expect-error -- A host without types may return anything.
      authorize: () => answer(),
      observer: (event) => event.type === "request.refused" && causes.push(String(event.cause)),
    });
    expect(await scene.ask("GET", "/me")).toMatchObject({ status: 500 });
    answer = () => ({ actor: "x", role: "root" });
    expect(await scene.ask("GET", "/me")).toMatchObject({ status: 500 });
    answer = () => undefined;
    expect(await scene.ask("GET", "/me")).toMatchObject({ status: 500 });
    answer = () => Promise.reject(new Error("directory down"));
    const { status, text } = await scene.ask("GET", "/me");
    expect([status, text.includes("directory")]).toEqual([500, false]);
    expect(causes).toEqual([...Array(3).fill(expect.stringContaining("must return")), "Error: directory down"]);
  });
});

describe("managementTokens", () => {
  const digest = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

  it("accepts a token by its SHA-256", async () => {
    const authorize = managementTokens([{ sha256: digest.toUpperCase(), actor: "ann", role: "viewer" }]);
    const request = new Request("http://x.test", { headers: { authorization: "bearer test" } });
    expect(await authorize(request)).toEqual({ actor: "ann", role: "viewer" });
  });

  it("refuses weak and ambiguous tokens when it is called, without quoting them", () => {
    const role = "viewer" as const;
    expect(() => managementTokens([])).toThrow(/at least one/);
    expect(() => managementTokens([{ token: "short", actor: "a", role }])).toThrow(/16 characters/);
    expect(() => managementTokens([{ token: "short", actor: "a", role }])).not.toThrow(/short"/);
    expect(() => managementTokens([{ sha256: "12", actor: "a", role }])).toThrow(/64 hex/);
    const both = { token: tokens.admin, sha256: digest, actor: "a", role };
    expect(() => managementTokens([both])).toThrow(/not both/);
  });
});

describe("basicLogin", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date", "performance"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const login = (credentials: string, address = "192.0.2.1") => {
    const headers = new Headers({ authorization: `Basic ${Buffer.from(credentials).toString("base64")}` });
    return { method: "GET", url: "/", headers, clientAddress: address };
  };

  it("asks the browser for a password, and accepts the right one", async () => {
    await using scene = await setScene({ authorize: basicLogin({ user: "änn", password: "pass:wörd" }) });
    const { status, headers } = await scene.ask("GET", "/me", { as: null });
    expect([status, headers.get("www-authenticate")]).toEqual([401, 'Basic realm="Tollgate", charset="UTF-8"']);
    const authorization = login("änn:pass:wörd").headers.get("authorization") ?? "";
    const { json } = await scene.ask("GET", "/me", { as: null, headers: { authorization } });
    expect(json).toMatchObject({ actor: "änn", role: "admin" });
  });

  const outcomes = async (attempts: readonly Promise<unknown>[]) => {
    const counts: Record<string, number> = {};
    for (const result of await Promise.allSettled(attempts)) {
      const outcome = result.status === "fulfilled" ? "in" : result.reason.code;
      counts[outcome] = (counts[outcome] ?? 0) + 1;
    }
    return counts;
  };
  const guesses = (authorize: ReturnType<typeof basicLogin>, count: number, addressOf = (_: number) => "192.0.2.1") =>
    outcomes(Array.from({ length: count }, async (_, at) => authorize(login(`ann:${at}`, addressOf(at)))));

  it("checks one attempt of an address a second after ten wrong passwords, and those of other addresses", async () => {
    const authorize = basicLogin({ user: "ann", password: "a-password", role: "viewer" });
    expect(await guesses(authorize, 50)).toEqual({ authorization_required: 11, rate_limit_exceeded: 39 });
    await expect(authorize(login("ann:a-password"))).rejects.toMatchObject({
      code: "rate_limit_exceeded",
      details: { retryAfterSeconds: 1 },
    });
    expect(await authorize(login("ann:a-password", "192.0.2.2"))).toEqual({ actor: "ann", role: "viewer" });
    vi.advanceTimersByTime(1_000);
    expect(await authorize(login("ann:a-password"))).toEqual({ actor: "ann", role: "viewer" });
    expect(await guesses(authorize, 50)).toEqual({ rate_limit_exceeded: 50 });
  });

  it("counts the addresses of one IPv6 /64 together", async () => {
    const authorize = basicLogin({ user: "ann", password: "a-password" });
    const counts = await guesses(authorize, 2_000, (at) => `2001:db8:1:2:${at.toString(16)}::1`);
    expect(counts).toEqual({ authorization_required: 11, rate_limit_exceeded: 1_989 });
    expect(await authorize(login("ann:a-password", "2001:db8:1:3::1"))).toMatchObject({ actor: "ann" });
  });

  it("always lets in who was right from the same address within a day, also while strangers guess there", async () => {
    const authorize = basicLogin({ user: "ann", password: "a-password" });
    const right = () => authorize(login("ann:a-password"));
    await right();
    vi.advanceTimersByTime(23 * 3_600_000);
    await guesses(authorize, 50);
    expect(await outcomes(Array.from({ length: 20 }, async () => right()))).toEqual({ in: 20 });
    // From an address where they were never right, they cannot be found out any faster than others.
    await guesses(authorize, 50, () => "192.0.2.2");
    await expect(authorize(login("ann:a-password", "192.0.2.2"))).rejects.toMatchObject({
      code: "rate_limit_exceeded",
    });
    vi.advanceTimersByTime(2 * 3_600_000);
    await guesses(authorize, 50);
    await expect(right()).rejects.toMatchObject({ code: "rate_limit_exceeded" });
  });

  it("warns once if clients come through a proxy and their addresses are not known", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const authorize = basicLogin({ user: "ann", password: "a-password" });
    const through = (header: string, clientAddress: string | undefined) => {
      const request = login("ann:a-password", clientAddress);
      request.headers.set(header, "192.0.2.9");
      return authorize({ ...request, clientAddress });
    };
    await through("x-forwarded-for", "192.0.2.9");
    await authorize({ ...login("ann:a-password"), clientAddress: undefined });
    expect(warn).not.toHaveBeenCalled();
    await through("x-forwarded-for", undefined);
    await through("forwarded", undefined);
    expect(warn.mock.calls).toEqual([[expect.stringContaining("`clientAddress` of the mount")]]);
    warn.mockRestore();
  });

  it("refuses a short password and a name with a colon when it is called", () => {
    expect(() => basicLogin({ user: "ann", password: "short" })).toThrow(/8 characters/);
    expect(() => basicLogin({ user: "a:b", password: "a-password" })).toThrow(/colon/);
  });
});
