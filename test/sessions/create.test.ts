import { describe, expect, it } from "vitest";
import { sessionsUnderTest } from "../support/sessions-under-test.ts";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const isoDate = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const formOf = (fields: Readonly<Record<string, string | Blob>>): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
};
const jsonFile = (text: string) => new Blob([text], { type: "application/json" });

describe("POST /session", () => {
  it("returns 201 with the record, Location, the request id and rate limit headers", async () => {
    const { ask, key } = sessionsUnderTest();
    const response = await ask(await key(), "POST", "/session", {
      assistant_id: "support",
      client_data: { user: { name: "Ann" }, gone: null },
    });
    expect(response.status).toBe(201);
    const record = await response.json();
    expect(record).toEqual({
      id: expect.stringMatching(uuid),
      assistant_id: "support",
      created_at: expect.stringMatching(isoDate),
      updated_at: expect.stringMatching(isoDate),
      client_data: { user: { name: "Ann" } },
    });
    expect(response.headers.get("location")).toBe(`/session/${record.id}`);
    expect(response.headers.get("x-request-id")).toMatch(/^req_/);
    expect(response.headers.get("x-ratelimit-remaining")).toBe("999");
  });

  it.each([
    ["absent", { assistant_id: "support" }],
    ["null", { assistant_id: "support", client_data: null }],
    ["an empty object", { assistant_id: "support", client_data: {} }],
  ])("creates a session without client data if client_data is %s", async (_name, body) => {
    const { ask, key } = sessionsUnderTest();
    expect(await (await ask(await key(), "POST", "/session", body)).json()).toMatchObject({ client_data: {} });
  });

  it.each([
    ["text", () => formOf({ assistant_id: "support", client_data: '{"a":[1,"é"]}' })],
    ["a file", () => formOf({ assistant_id: "support", client_data: jsonFile('{"a":[1,"é"]}') })],
    ["text next to other fields", () => formOf({ x: "1", assistant_id: "support", client_data: '{"a":[1,"é"]}' })],
  ])("accepts a form whose client_data is %s", async (_name, form) => {
    const { ask, key } = sessionsUnderTest();
    const response = await ask(await key(), "POST", "/session", form());
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ assistant_id: "support", client_data: { a: [1, "é"] } });
  });

  it("stores the session", async () => {
    const { ask, create, key } = sessionsUnderTest();
    const secret = await key();
    const created = await create(secret, { a: 1 });
    expect(await (await ask(secret, "GET", `/session/${created.id}`)).json()).toEqual(created);
  });

  it("returns a Location below any prefix, without a host", async () => {
    const { key, sessions } = sessionsUnderTest();
    const headers = { authorization: `Bearer ${await key()}`, "content-type": "application/json" };
    const post = (url: string) =>
      sessions.fetch(new Request(url, { method: "POST", headers, body: '{"assistant_id":"support"}' }), {
        path: "/session",
      });
    const below = await post("https://host.test/api/v1/session?x=1");
    expect(below.headers.get("location")).toBe(`/api/v1/session/${(await below.json()).id}`);
    expect((await post("https://host.test//evil.test/session")).headers.get("location")).toMatch(/^\/evil\.test\//);
  });

  it.each([
    ["absent", {}],
    ["a number", { assistant_id: 1 }],
    ["unknown", { assistant_id: "nobody" }],
    ["the name of an Object.prototype member", { assistant_id: "constructor" }],
  ])("rejects an assistant_id that is %s", async (_name, body) => {
    const { ask, key } = sessionsUnderTest();
    const response = await ask(await key(), "POST", "/session", body);
    expect(response.status).toBe(400);
    expect((await response.json()).error).toMatchObject({ code: "invalid_request", param: "assistant_id" });
  });

  it("rejects an object with too many members, in JSON and in a form", async () => {
    const { ask, key } = sessionsUnderTest();
    const secret = await key();
    const many = Object.fromEntries(Array.from({ length: 50_001 }, (_, at) => [`k${at}`, 0]));
    const form = formOf({ assistant_id: "support", client_data: JSON.stringify({ many }) });
    for (const body of [{ assistant_id: "support", many }, form]) {
      const response = await ask(secret, "POST", "/session", body);
      expect(response.status).toBe(400);
      const { error } = await response.json();
      expect(error.code).toBe("invalid_json");
      expect(error.message).toContain("50,000 members");
    }
  });

  it("is reported to the observer with its endpoint name", async () => {
    const { create, events, key } = sessionsUnderTest();
    await create(await key());
    expect(events).toContainEqual(expect.objectContaining({ type: "request.started", endpoint: "sessions.create" }));
  });
});
