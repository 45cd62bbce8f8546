import { isJsonObject } from "../../../wire/json.ts";
import type { Message } from "./messages-schema.ts";

/** True for a thought without a signature, which a target that was called with a chat completion has thought. */
const isUnsigned = (block: unknown): boolean =>
  isJsonObject(block) && block["type"] === "thinking" && (block["signature"] == null || block["signature"] === "");

/** True if no thought of the messages lacks its signature, without which Anthropic's API refuses the request. */
export const areSigned = (messages: readonly Message[]): boolean =>
  messages.every(({ content }) => typeof content === "string" || !content.some(isUnsigned));

/** Returns the messages without unsigned thoughts. */
export const withoutUnsigned = (messages: readonly Message[]): readonly Message[] =>
  messages.flatMap((message) => {
    const { content } = message;
    if (typeof content === "string" || !content.some(isUnsigned)) return [message];
    const kept = content.filter((block) => !isUnsigned(block));
    return kept.length === 0 ? [] : [{ ...message, content: kept }];
  });
