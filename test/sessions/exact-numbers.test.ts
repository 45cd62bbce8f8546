import { describe, expect, it } from "vitest";
import { sessionsUnderTest } from "../support/sessions-under-test.ts";

const clientData =
  '{"order":1234567890123456789,"price":19.90,"list":[9007199254740993,{"deep":-0.12345678901234567890}],"n":1}';
const changed = clientData.replace("56789,", "56788,");

function form(...fields: readonly (readonly [name: string, value: string])[]): FormData {
  const data = new FormData();
  for (const [name, value] of fields) data.append(name, value);
  return data;
}

describe("numbers in client data", () => {
  it.each<[how: string, post: string | FormData, put: string | FormData]>([
    ["JSON", `{"assistant_id":"support","client_data":${clientData}}`, `{"client_data":${changed}}`],
    ["a form", form(["assistant_id", "support"], ["client_data", clientData]), form(["client_data", changed])],
  ])("keep their digits when sent as %s, in every response", async (_, post, put) => {
    const { ask, key } = sessionsUnderTest();
    const secret = await key();
    const created = await (await ask(secret, "POST", "/session", post)).text();
    expect(created).toContain(`"client_data":${clientData}`);
    const { id } = JSON.parse(created);
    expect(await (await ask(secret, "GET", `/session/${id}`)).text()).toBe(created);
    const answer = await ask(secret, "PUT", `/session/${id}`, put);
    const text = await answer.text();
    expect(text).toContain(`"client_data":${changed}`);
    expect(answer.headers.get("content-length")).toBe(String(text.length));
    expect(await (await ask(secret, "GET", `/session/${id}`)).text()).toBe(text);
    expect(await (await ask(secret, "GET", "/session")).text()).toContain(text);
  });

  it("are not objects: a number as client data is rejected with 400", async () => {
    const { ask, key } = sessionsUnderTest();
    const secret = await key();
    for (const number of ["1234567890123456789", "1.10"]) {
      const body = `{"assistant_id":"support","client_data":${number}}`;
      expect((await ask(secret, "POST", "/session", body)).status).toBe(400);
      expect((await ask(secret, "POST", "/session", number)).status).toBe(400);
    }
  });

  it("count towards the limit with their digits, and have a limited exponent", async () => {
    const { ask, key } = sessionsUnderTest();
    const secret = await key();
    const post = async (value: string) =>
      (await ask(secret, "POST", "/session", `{"assistant_id":"support","client_data":{"a":${value}}}`)).status;
    expect(await post("1".repeat(65_530))).toBe(201);
    expect(await post("1".repeat(65_531))).toBe(400);
    expect(await post("1e308")).toBe(201);
    expect(await post("1e309")).toBe(400);
  });

  it("lose digits if the host has parsed the body, as documented", async () => {
    const { key, sessions } = sessionsUnderTest();
    const headers = { authorization: `Bearer ${await key()}`, "content-type": "application/json" };
    const request = new Request("http://gateway.test/session", { method: "POST", headers, body: "{}" });
    const parsedBody = JSON.parse(`{"assistant_id":"support","client_data":${clientData}}`);
    const text = await (await sessions.fetch(request, { parsedBody })).text();
    expect(text).toContain('"order":1234567890123456800,"price":19.9,');
  });
});
