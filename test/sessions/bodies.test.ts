import { describe, expect, it } from "vitest";
import { sessionsUnderTest } from "../support/sessions-under-test.ts";
import { boundary, formText, formType, part } from "./multipart.ts";

const support = part("assistant_id", "support");
const clientData = (text: string) => formText(support, part("client_data", text));

/** Returns the response of POST /session to a body. */
async function answerTo(body: BodyInit | null, contentType: string | undefined, parsedBody?: unknown) {
  const { key, sessions } = sessionsUnderTest({ maxFormBytes: 10_000 });
  const headers = new Headers({ authorization: `Bearer ${await key()}` });
  if (contentType !== undefined) headers.set("content-type", contentType);
  const bytes = body === null ? null : new Uint8Array(await new Response(body).arrayBuffer());
  const request = new Request("http://gateway.test/session", { method: "POST", headers, body: bytes });
  const response = await sessions.fetch(request, parsedBody === undefined ? {} : { parsedBody });
  const answer = await response.json();
  return { status: response.status, ...answer, ...answer.error };
}

describe("an invalid form", () => {
  it.each([
    ["has no boundary in its Content-Type", "multipart/form-data", formText(support), "content-type"],
    ["has an empty boundary", "multipart/form-data; boundary=", formText(support), "content-type"],
    ["has a boundary of 71 characters", `multipart/form-data; boundary=${"b".repeat(71)}`, "", "content-type"],
    ["has another boundary than its Content-Type", "multipart/form-data; boundary=other", formText(support), undefined],
    ["is empty", formType, "", "assistant_id"],
    ["has no end", formType, formText(support).slice(0, -6), undefined],
    ["ends within a header", formType, formText(support).slice(0, 40), undefined],
    ["has 21 parts", formType, formText(...Array.from({ length: 21 }, (_, at) => part(`p${at}`, ""))), undefined],
    ["has a part with a header of 9 KiB", formType, formText(part("a", "", `X: ${"x".repeat(9_000)}\r\n`)), undefined],
    ["has assistant_id twice", formType, formText(support, support), "assistant_id"],
    [
      "has client_data twice",
      formType,
      formText(support, part("client_data", "{}"), part("client_data", "{}")),
      "client_data",
    ],
    ["has no fields", formType, formText(), "assistant_id"],
  ])("is rejected with 400 if it %s", async (_name, contentType, body, param) => {
    const { status, code, message, param: found } = await answerTo(body, contentType);
    expect([status, code, found]).toEqual([400, "invalid_request", param]);
    expect(message).toMatch(/(?:Send|Give|Let) .+\.$/);
  });

  it.each([
    ["truncated JSON", '{"a":'],
    ["not JSON", "a=1"],
    ["empty", ""],
    ["JSON after a byte order mark", "\uFEFF{}"],
    ["nested beyond the limit", "[".repeat(5_000)],
  ])("is rejected with 400 if its client_data is %s", async (_name, text) => {
    expect(await answerTo(clientData(text), formType)).toMatchObject({
      status: 400,
      code: "invalid_json",
      param: "client_data",
    });
  });

  it.each([
    ["client_data", "invalid_json"],
    ["assistant_id", "invalid_request"],
  ])("is rejected with 400 if its %s is not UTF-8", async (name, code) => {
    const [before, after] = formText(part(name, "?")).split("?");
    const body = new Blob([before ?? "", new Uint8Array([0x22, 0xff, 0x22]), after ?? ""]);
    expect(await answerTo(body, formType)).toMatchObject({ status: 400, code, param: name });
  });

  it("is rejected with 400 if the header of a part is not UTF-8", async () => {
    const [before, after] = formText(part("?", "1")).split("?");
    const body = new Blob([before ?? "", new Uint8Array([0xff]), after ?? ""]);
    expect(await answerTo(body, formType)).toMatchObject({ status: 400, code: "invalid_request" });
  });
});

describe("client data", () => {
  const send = {
    json: (value: unknown) =>
      answerTo(JSON.stringify({ assistant_id: "support", client_data: value }), "application/json"),
    form: (value: unknown) => answerTo(clientData(JSON.stringify(value)), formType),
  };
  const bad: readonly (readonly [string, unknown])[] = [
    ["an array", [1]],
    ["a string", "a"],
    ["a number", 1],
    ["true", true],
    ["an empty key", { "": 1 }],
    ["a key of 129 characters", { ["k".repeat(129)]: 1 }],
    ["a system name", { "session.id": 1 }],
    ["a name below a system name", { "company.name": 1 }],
    ["images", { images: 1 }],
    ["one image", { "images[0]": 1 }],
    ["a dollar in a key", { a$b: 1 }],
    ["an opening brace in a key", { "a{b": 1 }],
    ["a closing brace in a key", { "a}b": 1 }],
    ["a control character in a key", { "a\u0007b": 1 }],
    ["__proto__", JSON.parse('{"__proto__":1}')],
    ["17 levels", JSON.parse(`{"a":${"[".repeat(16)}${"]".repeat(16)}}`)],
    ["201 keys", Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`k${at}`, at]))],
  ];
  it.each(bad)("is rejected with 400 in JSON and in a form if it is or has %s", async (_name, value) => {
    for (const way of [send.json, send.form]) {
      expect(await way(value)).toMatchObject({ status: 400, code: "invalid_request", param: "client_data" });
    }
  });

  it("may have 16 levels, and keys that look like code", async () => {
    const value = JSON.parse(
      `{"&%1":${"[".repeat(15)}${"]".repeat(15)},"toString":1,"session":2,"company":3,"assistant":4,"\\ud800":"\\u0000"}`,
    );
    for (const way of [send.json, send.form]) expect((await way(value)).client_data).toEqual(value);
  });
});

describe("a body", () => {
  it.each([
    undefined,
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/mixed; boundary=x",
    "application/jsonp",
  ])("of type %s is rejected with 400, and the error names the accepted types", async (contentType) => {
    const { status, code, message, param } = await answerTo(new Blob(["{}"]), contentType);
    expect([status, code, param]).toEqual([400, "unsupported_value", "content-type"]);
    expect(message).toContain("`application/json` or `multipart/form-data`");
  });

  it.each(["application/json; charset=utf-8", "APPLICATION/JSON", " application/json ;x"])(
    "of type %s is parsed as JSON",
    async (contentType) => {
      expect((await answerTo('{"assistant_id":"support"}', contentType)).status).toBe(201);
    },
  );

  it.each([
    'multipart/form-data; boundary="----tollgate"',
    "Multipart/Form-Data; charset=utf-8; BOUNDARY=----tollgate; x=1",
  ])("of type %s is parsed as a form", async (contentType) => {
    expect((await answerTo(formText(support), contentType)).status).toBe(201);
  });

  it.each(["[]", '"a"', "1", "null"])("of the JSON %s is rejected with 400", async (text) => {
    expect(await answerTo(text, "application/json")).toMatchObject({ status: 400, code: "invalid_request" });
  });

  it("of truncated JSON is rejected with 400", async () => {
    expect(await answerTo('{"a":', "application/json")).toMatchObject({ status: 400, code: "invalid_json" });
  });

  it.each([
    ["JSON", "application/json", JSON.stringify({ assistant_id: "support", x: "x".repeat(10_000) })],
    ["a form", formType, formText(support, part("x", "x".repeat(10_000)))],
  ])(
    "of %s that is too large is rejected with 413, and the error names the limit",
    async (_name, contentType, text) => {
      expect(await answerTo(text, contentType)).toMatchObject({
        status: 413,
        code: "payload_too_large",
        message: "The request body is larger than 10000 bytes. Send less client data.",
        metadata: { limit_bytes: 10_000 },
      });
    },
  );

  it("without a length is not read beyond the limit", async () => {
    const { key, sessions } = sessionsUnderTest({ maxFormBytes: 10_000 });
    let chunks = 0;
    const body = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1_000).fill(++chunks)) });
    const headers = { authorization: `Bearer ${await key()}`, "content-type": formType };
    const init = { method: "POST", headers, body, duplex: "half" };
    const response = await sessions.fetch(new Request("http://gateway.test/session", init));
    expect(response.status).toBe(413);
    expect(chunks).toBeLessThan(20);
  });

  it("that is interrupted is rejected with 400", async () => {
    const { key, sessions } = sessionsUnderTest();
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(`--${boundary}\r\n`));
        controller.error(new Error("reset"));
      },
    });
    const headers = { authorization: `Bearer ${await key()}`, "content-type": formType };
    const response = await sessions.fetch(
      new Request("http://gateway.test/session", { method: "POST", headers, body, ...{ duplex: "half" } }),
    );
    expect(response.status).toBe(400);
  });
});

describe("a body that a parser of the host has read", () => {
  it.each([
    ["JSON", "application/json", { assistant_id: "support", client_data: { a: 1 } }],
    ["fields", formType, Object.assign(Object.create(null), { assistant_id: "support", client_data: '{"a":1}' })],
    ["fields, one of them parsed as JSON", formType, { assistant_id: "support", client_data: { a: 1 } }],
    ["fields, one of them a file", formType, { assistant_id: "support", client_data: Buffer.from('{"a":1}') }],
    ["text of JSON", "application/json", '{"assistant_id":"support","client_data":{"a":1}}'],
    ["text of a form", formType, clientData('{"a":1}')],
    ["bytes of a form", formType, new TextEncoder().encode(clientData('{"a":1}'))],
  ])("may come as %s", async (_name, contentType, parsedBody) => {
    expect(await answerTo(null, contentType, parsedBody)).toMatchObject({ status: 201, client_data: { a: 1 } });
  });

  it.each([
    ["assistant_id", { assistant_id: ["support", "support"] }],
    ["client_data", { assistant_id: "support", client_data: ["{}", "{}"] }],
  ])("is rejected with 400 if the field %s was repeated", async (param, parsedBody) => {
    const message = expect.stringContaining("more than once");
    expect(await answerTo(null, formType, parsedBody)).toMatchObject({ status: 400, param, message });
  });

  it("is rejected with 400 if client_data is a string in JSON, or not JSON in a form", async () => {
    const fields = { assistant_id: "support", client_data: "a" };
    expect(await answerTo(null, "application/json", fields)).toMatchObject({ status: 400, code: "invalid_request" });
    expect(await answerTo(null, formType, fields)).toMatchObject({ status: 400, code: "invalid_json" });
  });
});
