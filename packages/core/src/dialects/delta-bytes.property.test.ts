import fc from "fast-check";
import { afterEach, expect, it } from "vitest";
import { runs } from "../../test-support/property-runs.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import { AnswerGuard, type KnownMembers } from "../upstream/answer-guard.ts";
import type { NativeReader } from "../upstream/native-reader.ts";
import { NativeTranslator } from "../upstream/native-translator.ts";
import { decodeUtf8, encodeUtf8 } from "../wire/bytes.ts";
import { turnOffShortcuts } from "../wire/forwarding/rewrite-request.ts";
import { shortcuts } from "../wire/forwarding/shortcuts.ts";
import { messageMembers, responseMembers } from "./known-members.ts";
import { MessageEventReader } from "./messages/native/message-event-reader.ts";
import { ResponsesReader } from "./responses/native/native-reader.ts";

afterEach(() => {
  shortcuts.reference = undefined;
});

/** The secret often comes in pieces, and in other members than the text. */
const text = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: "grapheme", maxLength: 8 }) },
  fc.string({ unit: "binary", maxLength: 4 }),
  fc.constantFrom("", "", " word", "\n", '"', "\\", "\ud83d", "\ude00", "sk-", "secret", "sk-secret", "upstream-model"),
);
const number = fc.oneof({ weight: 12, arbitrary: fc.nat(9) }, fc.constantFrom("0", -1, 1.5, 1e15, 1e21));
const id = fc.oneof({ weight: 12, arbitrary: fc.constantFrom("msg_1", "rs_2") }, text);
const more = { x: fc.oneof({ weight: 12, arbitrary: fc.constant(undefined) }, fc.constantFrom(1, "upstream-model")) };

const messageEvent = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant("content_block_delta"),
      index: number,
      delta: fc.oneof(
        fc.record({ type: fc.constant("text_delta"), text, ...more }),
        fc.record({ type: fc.constant("input_json_delta"), partial_json: text }),
        fc.record({ type: fc.constant("thinking_delta"), thinking: text }),
        fc.record({ type: fc.constant("signature_delta"), signature: text }),
      ),
      ...more,
    }),
  },
  fc.constantFrom(
    { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "" } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_stop", index: 0 },
    { type: "hologram" },
  ),
);

const deltaTypes = ["output_text", "function_call_arguments", "reasoning_summary_text", "refusal", "hologram"];
const responseEvent = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .record(
        {
          sequence_number: number,
          item_id: id,
          output_index: number,
          content_index: fc.constant(0),
          delta: fc.oneof({ weight: 16, arbitrary: text }, fc.constantFrom(7, { text: "x" })),
          logprobs: fc.oneof({ weight: 8, arbitrary: fc.constant([]) }, fc.constant([{ token: "a" }])),
          obfuscation: id,
          ...more,
        },
        { requiredKeys: ["delta"] },
      )
      .chain((members) => fc.shuffledSubarray(Object.entries(members), { minLength: Object.keys(members).length }))
      .chain((members) =>
        fc
          .constantFrom(...deltaTypes)
          .map((type) => ({ type: `response.${type}.delta`, ...Object.fromEntries(members) })),
      ),
  },
  fc.constantFrom(
    { type: "response.output_item.added", sequence_number: 3, item: { type: "message", content: [] } },
    { type: "response.output_item.done", item: { type: "message", content: [{ type: "output_text", text: "done" }] } },
  ),
);

const escapeAll = (json: string): string =>
  json.replace(/[^\x20-\x7e]|(?<=")[a-z](?=[a-z]*_)/gu, (found) =>
    [...found].map((each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""),
  );

/** The ways in which upstreams write an event, and some in which none does. */
const writers: readonly ((type: string, json: string) => string)[] = [
  ...Array.from({ length: 8 }, () => (type: string, json: string) => `event: ${type}\ndata: ${json}\n\n`),
  (type, json) => `event: ${type}\r\ndata: ${json}\r\n\r\n`,
  (_, json) => `data: ${json}\n\n`,
  (type, json) => `event: ${type}\ndata: ${json.replace(/\}+$/, " $& ")}\n\n`,
  (type, json) => `event: ${type}\ndata: ${json.replaceAll(":0", ":00")}\n\n`,
  (type, json) => `event: ${type}\ndata: ${escapeAll(json)}\n\n`,
  (type, json) => `event: ${type}\ndata: ${json.replace("msg_", "msg\t")}\n\n`,
  (type, json) => `event: ${type}\ndata: ${json.replace("}", ',"delta":"twice"}')}\n\n`,
  (type, json) => `event: ${type}\n: comment\ndata: ${json}\n\n`,
];

const streamOf = (event: fc.Arbitrary<object & { readonly type: string }>) =>
  fc
    .array(fc.tuple(event, fc.constantFrom(...writers)), { minLength: 1, maxLength: 12 })
    .map((events) => encodeUtf8(events.map(([value, write]) => write(value.type, JSON.stringify(value))).join("")));

function translate(makeReader: () => NativeReader, members: KnownMembers, chunks: readonly Uint8Array[], most: number) {
  const unknown: string[] = [];
  const context = { hidden: ["sk-secret", "upstream-model"], secrets: ["sk-secret"] };
  const reader = makeReader();
  const translator = new NativeTranslator(reader, {
    maxEventBytes: most,
    failureContext: () => context,
    guard: () => new AnswerGuard(members, { public: "public", upstream: "upstream-model" }, encodeUtf8(""), context),
    onUnknownEvent: (type) => unknown.push(type),
  });
  const sent = chunks.map((chunk) => decodeUtf8(translator.translate(chunk.slice()) ?? encodeUtf8("")));
  const { outputBytes, frames, started, hasHiddenReasoning, failure } = translator;
  const isLeak = failure?.message.includes("its API key") === true;
  const failed = isLeak ? undefined : decodeUtf8(reader.fail(new GatewayError("internal_error", "It failed.")));
  return {
    sent: sent.join(""),
    outputBytes,
    frames,
    started,
    hasHiddenReasoning,
    failure: failure?.message,
    failed,
    unknown,
  };
}

it.each([
  ["Messages", streamOf(messageEvent), messageMembers, () => new MessageEventReader("public", "req_1")],
  [
    "Responses",
    streamOf(responseEvent),
    responseMembers,
    () => new ResponsesReader({ event: () => undefined }, () => ({ id: "resp_1", output: [] }), undefined),
  ],
] as const)("a stream of %s is the same without its shortcut", (_api, streams, members, makeReader) => {
  let forwarded = 0;
  const countingReader = () => {
    const reader = makeReader();
    const find = reader.deltaBytes.bind(reader);
    reader.deltaBytes = (...call) => {
      const length = find(...call);
      if (length > 0) forwarded += 1;
      return length;
    };
    return reader;
  };
  fc.assert(
    fc.property(streams, fc.array(fc.nat(), { maxLength: 4 }), fc.constantFrom(1_000, 120), (bytes, cuts, most) => {
      const at = cuts.map((cut) => cut % bytes.length).toSorted((a, b) => a - b);
      const chunks = [0, ...at].map((start, index) => bytes.subarray(start, at[index] ?? bytes.length));
      shortcuts.reference = undefined;
      const short = translate(countingReader, members, chunks, most);
      turnOffShortcuts();
      expect(short).toEqual(translate(makeReader, members, chunks, most));
    }),
    { numRuns: runs(5_000) },
  );
  expect(forwarded).toBeGreaterThan(runs(5_000) / 5);
});
