import { expect, it } from "vitest";
import { encodeUtf8 } from "../wire/bytes.ts";
import { parseJson } from "./parse-request.ts";

const source = { name: "The request body" };
const manyValues = `[${Array(30_000).fill(0).join()}`;

/** Parses a text, and returns what became of it and how many turns of the event loop others had meanwhile. */
async function parsed(bytes: Uint8Array) {
  let turns = 0;
  const watch = setInterval(() => turns++);
  const outcome = await parseJson(bytes, source).catch((error: unknown) => error);
  clearInterval(watch);
  return { outcome, turns };
}

it("parses many values with turns of the event loop between them", async () => {
  const { outcome, turns } = await parsed(encodeUtf8(`${manyValues}]`));
  expect(outcome).toEqual(Array(30_000).fill(0));
  expect(turns).toBeGreaterThan(1);
});

it("decodes many values in a turn of its own", async () => {
  const { outcome, turns } = await parsed(Buffer.from(`${manyValues},"\xff"]`, "latin1"));
  expect(outcome).toMatchObject({ code: "invalid_json", message: expect.stringContaining("is not valid UTF-8") });
  expect(turns).toBeGreaterThan(0);
});

it("parses few values at once", async () => {
  expect(await parsed(encodeUtf8('{"a":[1]}'))).toEqual({ outcome: { a: [1] }, turns: 0 });
});

it("refuses what is not JSON", async () => {
  for (const text of ["{", `${manyValues},`]) {
    const { outcome } = await parsed(encodeUtf8(text));
    expect(outcome).toMatchObject({ code: "invalid_json", message: expect.stringContaining("not valid JSON") });
  }
});
