import { decodeFrames } from "../src/upstream/frames.ts";
import { StreamTranslator } from "../src/upstream/stream-translator.ts";
import type { ChatCompletionDelta } from "../src/wire/chat-completion.ts";

/** The options of the translator. */
export const options = { model: "public/model", id: "chatcmpl-made", created: 1_700_000_000 };
/** The members beside the choices of a frame for the client. */
export const envelope = {
  id: "chatcmpl-1",
  object: "chat.completion.chunk",
  created: 1_741_570_283,
  model: "public/model",
};
/** The same of a frame of the upstream. */
export const upstream = { ...envelope, model: "gpt-4o-mini" };

/** A frame with one choice. */
export const delta = (delta: ChatCompletionDelta, more: object = {}, head: object = upstream) => ({
  ...head,
  choices: [{ index: 0, delta, finish_reason: null, ...more }],
});
/** The first frame. */
export const role = delta({ role: "assistant", content: "" });
/** The last frame with a choice. */
export const stop = delta({}, { finish_reason: "stop" });
/** A frame as an event. */
export const event = (frame: unknown) => `data: ${JSON.stringify(frame)}\n\n`;

/** Returns what the client gets for a stream that comes in these pieces and then ends. */
export function translate(...pieces: (string | Uint8Array)[]) {
  const translator = new StreamTranslator(options);
  const outputs = pieces.map((piece) =>
    translator.translate(typeof piece === "string" ? new TextEncoder().encode(piece) : piece),
  );
  const text = [...outputs, translator.end()].map((bytes) => new TextDecoder().decode(bytes)).join("");
  return { translator, text, frames: decodeFrames(new TextEncoder().encode(text)) };
}
