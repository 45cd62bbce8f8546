import type { Dialect } from "@tollgate/core/store";
import fc from "fast-check";
import { describe } from "vitest";
import { anyFrames } from "../../../packages/core/test-support/any-frames.ts";
import { streamCorpora } from "./answer-corpora.ts";
import { anyCuts, cut } from "./cut.ts";
import { fuzzed } from "./fuzz.ts";
import { FuzzedGateway } from "./fuzzed-gateway.ts";
import { mutated } from "./mutated.ts";
import { verify } from "./verify.ts";

/** The model whose upstream speaks an API, and the dialects of clients whose requests it is sent. */
const upstreams: readonly (readonly [keyof typeof streamCorpora, string, readonly Dialect[]])[] = [
  ["chat", "openai", ["chat", "messages"]],
  ["messages", "anthropic", ["chat", "messages", "responses"]],
  ["responses", "openai", ["responses"]],
  ["gemini", "google", ["chat", "messages", "responses"]],
];

const request = (dialect: Dialect, model: string): string => {
  const messages = [{ role: "user", content: "Hi" }];
  const prompt = dialect === "responses" ? { input: messages, max_output_tokens: 50 } : { messages, max_tokens: 50 };
  return JSON.stringify({ model, stream: true, ...prompt });
};

const generated = anyFrames.map((frames) => frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join(""));

describe.each(upstreams)("a stream of %s", (api, model, dialects) => {
  const recorded = fc.constantFrom(...streamCorpora[api]);
  fuzzed("becomes events that clients can parse, whatever its bytes are and wherever it is cut", () => {
    const gateway = new FuzzedGateway();
    return {
      title: `streams of ${api}`,
      inputs: fc.record({
        dialect: fc.constantFrom(...dialects),
        bytes: mutated(api === "chat" ? fc.oneof(recorded, generated) : recorded),
        cuts: anyCuts,
      }),
      async take({ dialect, bytes, cuts }) {
        gateway.reply = { contentType: "text/event-stream", chunks: cut(bytes, cuts) };
        const { status, text } = await gateway.ask(dialect, request(dialect, model));
        verify([200, 400, 429, 502, 503, 529].includes(status), "The status is that of an answer or an error", status);
        // The deltas of an upstream that speaks the dialect of the client are forwarded without parsing them.
        if (status === 200 && (api === "chat" || api !== dialect)) requireParsed(text);
        if (status !== 200) verify(text.length < 2_000, "The error is short", text);
      },
    };
  });
});

/** Fails unless each line of a stream is empty, a comment, a name, or data that is JSON or `[DONE]`. */
function requireParsed(stream: string): void {
  verify(stream.endsWith("\n\n"), "A stream ends with an empty line", stream);
  for (const line of stream.split(/\r\n|\r|\n/)) {
    if (line.startsWith("data: ")) {
      if (line !== "data: [DONE]") JSON.parse(line.slice("data: ".length));
    } else if (line !== "" && !line.startsWith(":"))
      verify(/^event: [\w.]+$/.test(line), "A line is data, a comment or a name", line);
  }
}
