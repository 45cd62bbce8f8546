import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { anyFrames } from "../../test-support/any-frames.ts";
import { runs } from "../../test-support/property-runs.ts";
import { decodeFrames } from "./frames.ts";
import { StreamTranslator } from "./stream-translator.ts";

const options = { model: "public/model", id: "chatcmpl-made", created: 1_700_000_000, maxLineBytes: 4096 };
const encoder = new TextEncoder();

const ending = fc.constantFrom("data: [DONE]\n\n", "data: [DONE]\n", "data: [DONE]", "");

interface Outcome {
  readonly frames: unknown[];
  readonly state: unknown;
}

function outcome(translator: StreamTranslator, outputs: (Uint8Array | undefined)[]): Outcome {
  const { started, complete, done, failure, usage, outputBytes, frames: seen, identity } = translator;
  const decoded = outputs.flatMap((bytes) => (bytes === undefined ? [] : strictFrames(bytes)));
  const state = { started, complete, done, failure: failure?.message, usage, outputBytes, seen, identity };
  return { frames: withoutMadeIds(decoded), state };
}

/** Every line is blank or one complete `data:` line of well-formed UTF-8. */
function strictFrames(bytes: Uint8Array): unknown[] {
  const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  expect(text).toMatch(/^(?:data: \{[^\r\n]*\}\n\n)*$/);
  const decoded = decodeFrames(bytes);
  for (const frame of decoded) expect(frame["model"]).toBe(options.model);
  return decoded;
}

const withoutMadeIds = (decoded: unknown[]): unknown[] =>
  JSON.parse(JSON.stringify(decoded).replace(/"call_[0-9a-f]{32}"/g, '"made"'));

function translateAll(bytes: Uint8Array, cuts: readonly number[] = []): Outcome {
  const translator = new StreamTranslator(options);
  const points = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  const outputs = [...points, bytes.length].map((point, at) =>
    translator.translate(bytes.slice(at === 0 ? 0 : points[at - 1], point)),
  );
  return outcome(translator, [...outputs, translator.end()]);
}

const canonical = (list: readonly unknown[], end: string): Uint8Array =>
  encoder.encode(list.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join("") + end);

const byteByByte = (bytes: Uint8Array): number[] => Array.from(bytes, (_, at) => at);

describe("StreamTranslator with any upstream input", () => {
  test.prop([anyFrames, ending, fc.array(fc.nat(), { maxLength: 8 })], { numRuns: runs(400) })(
    "returns the same frames and state for any split of the stream",
    (list, end, cuts) => {
      const bytes = canonical(list, end);
      const whole = translateAll(bytes);
      expect(translateAll(bytes, cuts)).toEqual(whole);
      expect(translateAll(bytes, byteByByte(bytes))).toEqual(whole);
    },
  );

  test.prop([anyFrames], { numRuns: runs(400) })("returns the same for bytes as for parsed frames", (list) => {
    const parsed = new StreamTranslator(options);
    const outputs = list.map((frame) => parsed.translateChunk(JSON.parse(JSON.stringify(frame))));
    expect(translateAll(canonical(list, ""))).toEqual(outcome(parsed, [...outputs, parsed.end()]));
  });

  const spelling = fc.record({
    newline: fc.constantFrom("\n", "\r\n", "\r"),
    prefix: fc.constantFrom("data: ", "data:", "event: message\ndata: ", "id: 1\nretry: 5\ndata:", ": comment\ndata: "),
    between: fc.constantFrom("", ": keep-alive\n\n", ":\n", "\n"),
    mark: fc.constantFrom("", "\ufeff"),
    spread: fc.boolean(),
    ascii: fc.boolean(),
  });
  test.prop([anyFrames, spelling, fc.array(fc.nat(), { maxLength: 8 })], { numRuns: runs(400) })(
    "returns the same for every spelling of a stream",
    (list, { newline, prefix, between, mark, spread, ascii }, cuts) => {
      const spell = (frame: unknown) =>
        spread ? JSON.stringify(frame, null, 1).replaceAll("\n", "\ndata:") : JSON.stringify(reordered(frame));
      const events = list.map((frame) => `${prefix}${spell(frame)}\n\n${between}`).join("");
      const written = ascii ? inAscii(events) : events;
      const spelt = encoder.encode(mark + `${written}data: [DONE]\n\n`.replaceAll("\n", newline));
      const expected = translateAll(canonical(list, "data: [DONE]\n\n"));
      expect(translateAll(spelt)).toEqual(expected);
      expect(translateAll(spelt, cuts)).toEqual(expected);
    },
  );

  test.prop([anyFrames], { numRuns: runs(200) })("forwards every character of the content", (list) => {
    const { frames: given } = translateAll(canonical(list, "data: [DONE]\n\n"));
    expect(contentOf(given)).toBe(contentOf(list));
  });

  const hostile = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc
      .array(
        fc.constantFrom(
          "data: ",
          "data",
          ":",
          "\n",
          "\r",
          "\n\n",
          "{",
          "}",
          "[",
          "]",
          '"',
          "\\",
          "\\u12",
          '"choices":',
          '"delta":',
          '"content":',
          '"error":',
          "[DONE]",
          "null",
          "1e999",
          "event: error",
          "\ufeff",
          "\u0000",
          ",",
          'data: {"choices":[{"index":0,"delta":{"content":"a"}}]}\n\n',
          'data: {"choices":[{"delta":{"content":"',
          'data: {"choices":[{"index":0,"delta":{"content":"\\',
          '"}}]}\n\n',
          'x"}}]}\n\n',
          'data: {"choices":[null,1,{"delta":[]},{"index":-1,"delta":{"tool_calls":[1,{"function":[]}]}}]}\n\n',
        ),
        { maxLength: 30 },
      )
      .map((parts) => encoder.encode(parts.join(""))),
  );
  test.prop([hostile, anyFrames, fc.nat(), fc.array(fc.nat(), { maxLength: 6 })], { numRuns: runs(600) })(
    "never throws, and returns frames that parse",
    (bytes, list, place, cuts) => {
      const around = canonical(list, "");
      const at = place % (around.length + 1);
      const stream = new Uint8Array([...around.subarray(0, at), ...bytes, ...around.subarray(at)]);
      expect(translateAll(stream, cuts)).toEqual(translateAll(stream));
    },
  );
});

/** As Python's json module spells text by default. */
const inAscii = (text: string): string =>
  text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** The same JSON with the members of the frame and of its choices in reverse order. */
function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reordered(member)]),
  );
}

interface ContentFrame {
  readonly choices: readonly {
    readonly delta: { readonly content?: string | readonly { readonly text?: string }[] | null };
  }[];
}

function contentOf(list: unknown[]): string {
  const given: ContentFrame[] = JSON.parse(JSON.stringify(list));
  const textOf = (content: ContentFrame["choices"][number]["delta"]["content"]) =>
    Array.isArray(content) ? content.map(({ text }) => text ?? "").join("") : (content ?? "");
  return given.flatMap(({ choices }) => choices.map(({ delta }) => textOf(delta.content))).join("");
}
