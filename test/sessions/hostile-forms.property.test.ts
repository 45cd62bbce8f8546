import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { sessionsUnderTest } from "../support/sessions-under-test.ts";
import { boundary, formText, formType, part } from "./multipart.ts";

const tested = sessionsUnderTest();
const secret = await tested.key({ limits: { requests: { limit: 1_000_000 } } });

const hostile = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    "__proto__",
    "constructor",
    "$&",
    "\ud800",
    "\u0000",
    "\r\n\r\n",
    `--${boundary}`,
    `\r\n--${boundary}--`,
  ),
);
const dictionary = fc.dictionary(
  hostile.filter(
    (key) =>
      key !== "" &&
      !/[${}\p{Cc}]/u.test(key) &&
      !/^(?:session\.|company\.|assistant\.|images|__proto__$|constructor$|prototype$)/.test(key),
  ),
  fc.oneof(hostile, fc.double({ noDefaultInfinity: true, noNaN: true }), fc.boolean()),
  { maxKeys: 20 },
);

const whole = new TextEncoder().encode(
  formText(
    part("x", "y"),
    part("assistant_id", "support"),
    part("client_data", '{"a":"é"}', "Content-Type: application/json\r\n"),
  ),
);

async function send(chunks: readonly Uint8Array[], contentType = formType): Promise<Response> {
  const body = new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  const headers = { authorization: `Bearer ${secret}`, "content-type": contentType };
  return tested.sessions.fetch(
    new Request("http://gateway.test/session", { method: "POST", headers, body, ...{ duplex: "half" } }),
  );
}

function splitAt(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = [0, ...cuts.map((cut) => cut % bytes.length).sort((a, b) => a - b), bytes.length];
  return places.slice(1).map((end, at) => bytes.slice(places[at], end));
}

describe("a form", () => {
  test.prop([dictionary])("round-trips any client data", async (clientData) => {
    const form = new FormData();
    form.append("assistant_id", "support");
    form.append("client_data", JSON.stringify(clientData));
    const response = await tested.ask(secret, "POST", "/session", form);
    expect(response.status).toBe(201);
    expect((await response.json()).client_data).toEqual(JSON.parse(JSON.stringify(clientData)));
  });

  test.prop([fc.array(fc.nat(), { maxLength: 8 })])("is parsed the same wherever it is split", async (cuts) => {
    const response = await send(splitAt(whole, cuts));
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ client_data: { a: "é" } });
  });

  test.prop([fc.integer({ min: 0, max: whole.length - 3 }), fc.array(fc.nat(), { maxLength: 3 })])(
    "is rejected with 400 wherever it is truncated",
    async (length, cuts) => {
      const response = await send(length === 0 ? [] : splitAt(whole.slice(0, length), cuts));
      expect(response.status).toBe(400);
      expect((await response.json()).error.code).toBe("invalid_request");
    },
  );

  test.prop([fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { minLength: 1, maxLength: 12 })])(
    "is always answered with 201 or 400, whatever bytes are changed",
    async (changes) => {
      const bytes = whole.slice();
      for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
      expect([201, 400]).toContain((await send([bytes])).status);
    },
  );

  test.prop([fc.uint8Array({ maxLength: 500 }), fc.constantFrom(`--${boundary}\r\n`, `--${boundary}`, "")])(
    "of random bytes is rejected with 400",
    async (bytes, start) => {
      expect((await send([new TextEncoder().encode(start), bytes])).status).toBe(400);
    },
  );

  test.prop([fc.string({ unit: "binary-ascii", maxLength: 80 })])(
    "is answered whatever boundary its Content-Type has",
    async (text) => {
      const printable = text.replace(/[^\x20-\x7e]/g, "");
      expect([201, 400]).toContain((await send([whole], `multipart/form-data; boundary=${printable}`)).status);
    },
  );
});
