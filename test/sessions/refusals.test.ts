import { memorySessionStore } from "@tollgate/core";
import { describe, expect, it } from "vitest";
import { failsBefore, faulty, stalls } from "../support/faulty.ts";
import { termsUnderTest } from "../support/gateway-under-test.ts";
import { sessionsUnderTest } from "../support/sessions-under-test.ts";

const id = crypto.randomUUID();

interface Call {
  readonly name: string;
  readonly verb: string;
  readonly method: string;
  readonly path: string;
  readonly body?: object;
}

const calls: readonly Call[] = [
  {
    name: "sessions.create",
    verb: "create",
    method: "POST",
    path: "/session",
    body: { assistant_id: "support", client_data: { secret: "s3cret" } },
  },
  { name: "sessions.show", verb: "find", method: "GET", path: `/session/${id}` },
  { name: "sessions.update", verb: "merge", method: "PUT", path: `/session/${id}`, body: { client_data: { a: 1 } } },
  { name: "sessions.delete", verb: "delete", method: "DELETE", path: `/session/${id}` },
  { name: "sessions.messages.list", verb: "messages", method: "GET", path: `/session/${id}/messages` },
  { name: "sessions.logs.list", verb: "logs", method: "GET", path: `/session/${id}/logs` },
];

describe.each(calls)("$name", ({ name, verb, method, path, body }) => {
  it("is rejected with 401 without a key and with a wrong one", async () => {
    const { ask, sessions } = sessionsUnderTest();
    expect((await ask("tg_wrong", method, path, body)).status).toBe(401);
    const keyless = await sessions.fetch(new Request(`http://gateway.test${path}`, { method }));
    expect([keyless.status, keyless.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
  });

  it("is rejected with 428 until the terms are accepted", async () => {
    const { ask, key } = sessionsUnderTest({ terms: termsUnderTest() });
    const refused = await ask(await key(), method, path, body);
    expect(refused.status).toBe(428);
    const { acceptUrl, message } = await refused.json();
    expect(message).toContain(`Accept them at ${acceptUrl} `);
  });

  it("is rejected with 429 over the key's request limit, with rate limit headers in every response", async () => {
    const { ask, key } = sessionsUnderTest();
    const secret = await key({ limits: { requests: { limit: 1 } } });
    const first = await ask(secret, method, path, body);
    expect([201, 404]).toContain(first.status);
    expect(first.headers.get("x-ratelimit-remaining")).toBe("0");
    const second = await ask(secret, method, path, body);
    expect([second.status, second.headers.has("retry-after")]).toEqual([429, true]);
  });

  it.each([
    ["fails", failsBefore(() => new Error("password=hunter2"))],
    ["is late", stalls(500)],
    ["returns null", () => null],
    ["returns an empty object", () => ({})],
  ])("is rejected with 503 without details if the store %s", async (_name, fault) => {
    const store = faulty(memorySessionStore(), (called) => (called === verb ? fault : undefined));
    const { ask, key } = sessionsUnderTest({ store, storeTimeoutMs: 100 });
    const response = await ask(await key(), method, path, body);
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "1"]);
    const text = await response.text();
    expect(JSON.parse(text).error.code).toBe("store_unavailable");
    expect(text).not.toContain("hunter2");
    expect(text).not.toContain("s3cret");
  });

  it("is reported to the observer with its endpoint name, and leaves nothing running", async () => {
    const { ask, events, key, running } = sessionsUnderTest();
    await ask(await key(), method, path, body);
    expect(events).toContainEqual(expect.objectContaining({ type: "request.started", endpoint: name }));
    expect(running()).toBe(0);
  });
});

describe("the paths", () => {
  it.each([
    ["DELETE", "/session", "POST, GET"],
    ["POST", `/session/${id}`, "GET, PUT, DELETE"],
    ["DELETE", `/session/${id}/messages`, "GET, POST"],
    ["POST", `/session/${id}/logs`, "GET"],
  ])("answer %s %s with 405 and the allowed methods", async (method, path, allowed) => {
    const { ask, key } = sessionsUnderTest();
    const response = await ask(await key(), method, path);
    expect([response.status, response.headers.get("allow")]).toEqual([405, allowed]);
  });

  it.each(["/", "/sessions", "/session/", `/session/${id}/`, `/session/${id}/x`, `/session/${id}/logs/1`])(
    "do not include %s",
    async (path) => {
      const { ask, key, sessions } = sessionsUnderTest();
      expect(sessions.endpoint("GET", path)).toBeUndefined();
      expect((await ask(await key(), "GET", path)).status).toBe(404);
    },
  );

  it("include POST /session/{id}/messages", async () => {
    const { ask, create, key } = sessionsUnderTest();
    const secret = await key();
    const created = await create(secret);
    const response = await ask(secret, "POST", `/session/${created.id}/messages`, { content: "Hello?" });
    expect(await response.json()).toMatchObject({ choices: [{ message: { content: "Hello." } }] });
  });
});

describe("expired sessions", () => {
  it("are swept when a session is created, and a sweep that fails or hangs has no effect on the request", async () => {
    for (const fault of [failsBefore(() => new Error("down")), () => new Promise(() => undefined)]) {
      let sweeps = 0;
      const store = faulty(memorySessionStore(), (verb) => {
        if (verb === "expire") sweeps++;
        return verb === "expire" ? fault : undefined;
      });
      const { create, key } = sessionsUnderTest({ store, storeTimeoutMs: 100 });
      const secret = await key();
      for (let created = 0; created < 3; created++) expect(await create(secret)).toHaveProperty("id");
      expect(sweeps).toBe(1);
    }
  });
});
