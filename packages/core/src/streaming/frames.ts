import { encodeUtf8 } from "../wire/utf8.ts";
export const encodeFrame = (value: unknown): Uint8Array => encodeUtf8(`data: ${JSON.stringify(value)}\n\n`);
export const doneFrame = encodeUtf8("data: [DONE]\n\n");
export const keepAliveComment = encodeUtf8(": keep-alive\n\n");
interface Id {
  readonly id: string;
  readonly created: number;
  readonly model: string;
}
export const usageFrame = (i: Id, usage: unknown): Uint8Array =>
  encodeFrame({ id: i.id, object: "chat.completion.chunk", created: i.created, model: i.model, choices: [], usage });
export const errorFrame = (i: Id, error: unknown): Uint8Array =>
  encodeFrame({
    id: i.id,
    object: "chat.completion.chunk",
    created: i.created,
    model: i.model,
    choices: [{ index: 0, delta: {}, finish_reason: "error" }],
    error,
  });
