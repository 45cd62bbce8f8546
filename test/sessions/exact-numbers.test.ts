import { describe, expect, it } from "vitest";
import { sessionsUnderTest } from "../support/sessions-under-test.ts";

const given =
  '{"order":1234567890123456789,"price":19.90,"list":[9007199254740993,{"deep":-0.12345678901234567890}],"n":1}';
const changed = given.replace("56789,", "56788,");

function form(...fields: readonly (readonly [name: string, value: string])[]): FormData {
  const data = new FormData();
  for (const [name, value] of fields) data.append(name, value);
  return data;
}

describe("numbers in client data", () => {
  it.each<[how: string, post: string | FormData, put: string | FormData]>([
    ["JSON", `{"assistant_id":"support","client_data":${given}}`, `{"client_data":${changed}}`],
    ["a form", form(["assistant_id", "support"], ["client_data", given]), form(["client_data", changed])],
  ])("keep their digits when they come as %s, in every answer", async (_, post, put) => {
    const { ask, key } = sessionsUnderTest();
    const secret = await key();
    const made = await (await ask(secret, "POST", "/session", post)).text();
    expect(made).toContain(`"client_data":${given}`);
    const { id } = JSON.parse(made);
    expect(await (await ask(secret, "GET", `/session/${id}`)).text()).toBe(made);
    const answer = await ask(secret, "PUT", `/session/${id}`, put);
    const text = await answer.text();
    expect(text).toContain(`"client_data":${changed}`);
    expect(answer.headers.get("content-length")).toBe(String(text.length));
    expect(await (await ask(secret, "GET", `/session/${id}`)).text()).toBe(text);
    expect(await (await ask(secret, "GET", "/session")).text()).toContain(text);
  });

  it("are no objects: a number in the place of client data is 400", async () => {
    const { ask, key } = sessionsUnderTest();
    const secret = await key();
    for (const number of ["1234567890123456789", "1.10"]) {
      const body = `{"assistant_id":"support","client_data":${number}}`;
      expect((await ask(secret, "POST", "/session", body)).status).toBe(400);
      expect((await ask(secret, "POST", "/session", number)).status).toBe(400);
    }
  });

  it("count towards the limit with the digits that they have, and no exponent is beyond all readers", async () => {
    const { ask, key } = sessionsUnderTest();
    const secret = await key();
    const post = async (value: string) =>
      (await ask(secret, "POST", "/session", `{"assistant_id":"support","client_data":{"a":${value}}}`)).status;
    expect(await post("1".repeat(65_530))).toBe(201);
    expect(await post("1".repeat(65_531))).toBe(400);
    expect(await post("1e308")).toBe(201);
    expect(await post("1e309")).toBe(400);
  });

  it("have lost digits when the host has parsed the body, as the documentation says", async () => {
    const { key, sessions } = sessionsUnderTest();
    const headers = { authorization: `Bearer ${await key()}`, "content-type": "application/json" };
    const request = new Request("http://gateway.test/session", { method: "POST", headers, body: "{}" });
    const parsedBody = JSON.parse(`{"assistant_id":"support","client_data":${given}}`);
    const text = await (await sessions.fetch(request, { parsedBody })).text();
    expect(text).toContain('"order":1234567890123456800,"price":19.9,');
  });
});
