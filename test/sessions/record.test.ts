import { memorySessionStore } from "@tollgate/core";
import { describe, expect, it } from "vitest";
import { faulty } from "../support/faulty.ts";
import { sessionsUnderTest } from "../support/sessions-under-test.ts";

const elsewhere = crypto.randomUUID();

describe("PUT /session/{id}", () => {
  it("merges JSON and forms key by key, and null removes a key", async () => {
    const { ask, create, key } = sessionsUnderTest();
    const secret = await key();
    const created = await create(secret, { a: { x: 1 }, b: 2, c: 3 });
    const first = await ask(secret, "PUT", `/session/${created.id}`, { client_data: { a: { y: 1 }, b: null } });
    expect(first.status).toBe(200);
    expect(await first.json()).toEqual({
      ...created,
      updated_at: expect.any(String),
      client_data: { a: { y: 1 }, c: 3 },
    });
    const form = new FormData();
    form.append("client_data", new Blob(['{"d":4}'], { type: "application/json" }), "data.json");
    expect(await (await ask(secret, "PUT", `/session/${created.id}`, form)).json()).toMatchObject({
      client_data: { a: { y: 1 }, c: 3, d: 4 },
    });
  });

  it.each([
    ["absent", {}],
    ["null", { client_data: null }],
    ["an array", { client_data: [] }],
    ["a reserved name", { client_data: { images: 1 } }],
  ])("is rejected with 400 and changes nothing if client_data is %s", async (_name, body) => {
    const { ask, create, key } = sessionsUnderTest();
    const secret = await key();
    const created = await create(secret, { a: 1 });
    const response = await ask(secret, "PUT", `/session/${created.id}`, body);
    expect(response.status).toBe(400);
    expect((await response.json()).error).toMatchObject({ code: "invalid_request", param: "client_data" });
    expect(await (await ask(secret, "GET", `/session/${created.id}`)).json()).toEqual(created);
  });

  it("is rejected with 400 if the merged client data would be too large", async () => {
    const { ask, create, key } = sessionsUnderTest();
    const secret = await key();
    const created = await create(secret, { a: "x".repeat(40_000) });
    const response = await ask(secret, "PUT", `/session/${created.id}`, { client_data: { b: "x".repeat(40_000) } });
    expect(response.status).toBe(400);
    expect((await response.json()).error).toMatchObject({
      param: "client_data",
      message: expect.stringMatching(/^`client_data` is larger than 65536 bytes\. Remove/),
    });
  });
});

describe("DELETE /session/{id}", () => {
  it("returns 204 without a body and deletes the session", async () => {
    const { ask, create, key } = sessionsUnderTest();
    const secret = await key();
    const { id } = await create(secret);
    const response = await ask(secret, "DELETE", `/session/${id}`);
    expect([response.status, await response.text(), response.headers.get("content-type")]).toEqual([204, "", null]);
    expect(response.headers.get("x-request-id")).toMatch(/^req_/);
    expect(response.headers.get("x-ratelimit-limit")).toBe("1000");
    expect((await ask(secret, "GET", `/session/${id}`)).status).toBe(404);
    expect((await ask(secret, "DELETE", `/session/${id}`)).status).toBe(404);
  });
});

describe("a session that does not exist", () => {
  const calls: readonly { readonly method: string; readonly path: string; readonly body?: object }[] = [
    { method: "GET", path: "" },
    { method: "PUT", path: "", body: { client_data: { a: 1 } } },
    { method: "DELETE", path: "" },
    { method: "GET", path: "/messages" },
    { method: "GET", path: "/logs" },
  ];

  it.each(calls)(
    "is the same 404 for $method /session/{id}$path if it is of another account, unknown, or its id is not a UUID",
    async ({ method, path, body }) => {
      const { ask, create, key } = sessionsUnderTest();
      const other = await create(await key({ account: "other" }));
      const secret = await key();
      const answers = [];
      for (const id of [other.id, elsewhere, "1", "..%2f", `${elsewhere}0`, "%00"]) {
        const response = await ask(secret, method, `/session/${id}${path}`, body);
        expect(response.status).toBe(404);
        answers.push(await response.text());
      }
      expect(new Set(answers).size).toBe(1);
      expect(JSON.parse(answers[0] ?? "").error).toMatchObject({ code: "session_not_found", type: "not_found_error" });
    },
  );

  it("is not looked up if its id is not a UUID, which would be an error in a database", async () => {
    const verbs: string[] = [];
    const store = faulty(memorySessionStore(), (verb) => void verbs.push(verb));
    const { ask, key } = sessionsUnderTest({ store });
    for (const id of ["1", "%00", "'", `${elsewhere}0`]) {
      expect((await ask(await key(), "GET", `/session/${id}`)).status).toBe(404);
    }
    expect(verbs).toEqual([]);
  });

  it("of another account is not changed", async () => {
    const { ask, create, key } = sessionsUnderTest();
    const owner = await key({ account: "other" });
    const created = await create(owner, { a: 1 });
    const secret = await key();
    await ask(secret, "PUT", `/session/${created.id}`, { client_data: { a: 2 } });
    await ask(secret, "DELETE", `/session/${created.id}`);
    expect(await (await ask(owner, "GET", `/session/${created.id}`)).json()).toEqual(created);
  });
});

it("finds a session by its id in upper case, with any key of the account", async () => {
  const { ask, create, key } = sessionsUnderTest();
  const created = await create(await key());
  expect(await (await ask(await key(), "GET", `/session/${created.id.toUpperCase()}`)).json()).toEqual(created);
});
