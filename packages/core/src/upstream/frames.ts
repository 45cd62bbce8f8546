import { errorBody } from "../errors/gateway-error.ts";
import { encodeUtf8, joinBytes } from "../wire/bytes.ts";
import type { AnswerIdentity } from "../wire/chat-completion.ts";
import { isJsonObject, type JsonObject } from "../wire/json.ts";
import type { Usage } from "../wire/usage.ts";
import type { ChunkEncoder } from "./answer-translator.ts";

/** The last frame of a complete answer. Shared by all streams: do not modify it. */
export const doneFrame: Uint8Array = encodeUtf8("data: [DONE]\n\n");

/** A comment that keeps an idle connection open. Send it only between frames. Shared by all streams: do not modify it. */
export const keepAliveComment: Uint8Array = encodeUtf8(": keep-alive\n\n");

/** Encodes a value as one frame: a `data:` line of JSON and a blank line. Throws if JSON.stringify throws. */
export const encodeFrame = (value: JsonObject): Uint8Array => encodeUtf8(`data: ${JSON.stringify(value)}\n\n`);

/** Encodes the usage frame, which is sent once, after the content and before {@link doneFrame}. */
export const encodeUsageFrame = (identity: AnswerIdentity, usage: Usage): Uint8Array =>
  encodeFrame({ ...envelope(identity), choices: [], usage });

/** Encodes the last frame of an answer that failed after it began. `error` is the object of an error body. No `[DONE]` follows. */
export const encodeErrorFrame = (identity: AnswerIdentity, error: JsonObject): Uint8Array =>
  encodeFrame({
    ...envelope(identity),
    choices: [{ index: 0, delta: {}, finish_reason: "error" }],
    error,
  });

/** Encodes the chunks of a chat completion themselves, with a usage frame at the end if the client wants one. */
export const chatFrames = (wantsUsage: boolean): ChunkEncoder => (wantsUsage ? framesWithUsage : framesWithoutUsage);

/** The frames of a chat completion with a usage frame. */
export const framesWithUsage: ChunkEncoder = {
  answerId: undefined,
  forwardsChunks: true,
  encode: encodeFrame,
  finish: (usage, identity) => joinBytes([encodeUsageFrame(identity, usage), doneFrame]),
  fail: (error, identity) => encodeErrorFrame(identity, errorBody(error)),
};

const framesWithoutUsage: ChunkEncoder = { ...framesWithUsage, finish: () => doneFrame };

/** Decodes frames that {@link encodeFrame} made. Skips `[DONE]` and comments. */
export function decodeFrames(bytes: Uint8Array): JsonObject[] {
  const frames: JsonObject[] = [];
  for (const line of new TextDecoder().decode(bytes).split("\n")) {
    if (!line.startsWith("data: {")) continue;
    const frame: unknown = JSON.parse(line.slice("data: ".length));
    if (isJsonObject(frame)) frames.push(frame);
  }
  return frames;
}

/** The members that every frame begins with. */
export const envelope = ({ id, created, model }: AnswerIdentity) => ({
  id,
  object: "chat.completion.chunk",
  created,
  model,
});
