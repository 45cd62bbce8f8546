import { isRecord } from "../../support/is-record.ts";

/** The text of every answer. */
export const answerText = "Hello";

/** The text of a request that continues `link` responses, one after another. */
export const linkText = (link: number, requestId: string): string => `Link ${link} ${requestId}`;

/** Returns the texts of messages or items of any dialect. */
export const textsOf = (messages: unknown): string[] => (Array.isArray(messages) ? messages.map(textOf) : []);

function textOf(message: unknown): string {
  const content = isRecord(message) ? message["content"] : undefined;
  const parts: readonly unknown[] = Array.isArray(content) ? content : [{ text: content }];
  return parts.map((part) => (isRecord(part) ? String(part["text"]) : "")).join("");
}

/** Returns true if a request has every link of its conversation, with the answers between them. */
export const isWholeConversation = (texts: readonly string[]): boolean =>
  texts.length % 2 === 1 &&
  texts.every((text, at) => (at % 2 === 0 ? text.startsWith(`Link ${at / 2} `) : text === answerText));
