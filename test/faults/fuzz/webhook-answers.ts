import fc from "fast-check";
import { runWebhook } from "../../../packages/assistants/src/webhook/run-webhook.ts";
import { anyText } from "../../../packages/assistants/test-support/any-variables.ts";
import {
  answered,
  call,
  readOutcome,
  redactor,
  runnerOf,
  secret,
} from "../../../packages/assistants/test-support/webhook-call.ts";
import { anyClientData } from "../../../packages/core/test-support/any-client-data.ts";
import { fuzzed } from "./fuzz.ts";
import { mutated } from "./mutated.ts";
import { verify } from "./verify.ts";

const corpus = fc.oneof(
  fc.constantFrom(
    '{"temp":[7,null],"k":"s3cret-key","session":{"client_data":{"a":1,"__proto__":{"b":2},"user.name":"Ann"}}}',
    '{"session":{"client_data":[1]},"n":12345678901234567890.10,"czNjcmV0LWtleQ==":"\\u00733cret-key"}',
    "<p>s3cret%2Dkey</p>",
    "",
  ),
  anyClientData.map((data) => JSON.stringify({ session: { client_data: data }, secret })),
);
const contentType = fc.oneof(
  fc.constantFrom("application/json", "application/json; charset=utf-16", "text/html; charset=latin1", "image/png", ""),
  anyText,
  fc.constant(undefined),
);
const unsafeKeys = new Set(["__proto__", "constructor", "prototype"]);
const status = fc.oneof(fc.integer({ min: 100, max: 599 }), fc.constantFrom(200, 0, -1, 200.5, 1e9, Number.NaN));

fuzzed("an answer of a webhook becomes a short tool message without secrets, whatever its bytes are", () => ({
  title: "answers of webhooks",
  inputs: fc.record({ status, bytes: mutated(corpus), contentType }),
  async take({ status, bytes, contentType }) {
    const runner = runnerOf(async () => answered(status, bytes, contentType));
    const { content, changes } = readOutcome(await runWebhook(runner, redactor, call));
    // 16,000 characters, of which each may be an escape of six, and the rest of the message.
    verify(content.length < 100_000, "The message is short", content);
    for (const [key] of changes) verify(!unsafeKeys.has(key), "No key is one of prototypes", key);
  },
}));
