import { isJsonObject, isPlainObject, isText, type JsonObject } from "./json.ts";
import { tryParseLosslessJson } from "./lossless-json.ts";

/** Returns the arguments of a call, an empty object if it has none. Undefined if they are not a JSON object. */
export function readArguments(text: string): JsonObject | undefined {
  const value = isNoArguments(text) ? {} : tryParseLosslessJson(text);
  return isPlainObject(value) ? value : undefined;
}

/**
 * True for the text of the arguments of a call without any. Some upstreams and clients send nothing or `null` for `{}`, which
 * is the only form that every reader accepts.
 */
export function isNoArguments(text: string): boolean {
  const trimmed = text.trim();
  return trimmed === "" || trimmed === "null";
}

/** Makes an id for a call whose upstream sent none. */
export const newCallId = (): string => `call_${crypto.randomUUID().replaceAll("-", "")}`;

/**
 * Returns the members of a tool call, message or delta for a thought signature of Gemini, none without one. Clients send them back
 * with the history. Google's own chat completions use the same: https://ai.google.dev/gemini-api/docs/thought-signatures
 */
export const signatureMembers = (signature: string | undefined): JsonObject =>
  signature === undefined ? {} : { extra_content: { google: { thought_signature: signature } } };

/** Returns the signature in a tool call or message, or undefined. */
export function signatureOf({ extra_content: extra }: JsonObject): string | undefined {
  const google = isJsonObject(extra) ? extra["google"] : undefined;
  const signature = isJsonObject(google) ? google["thought_signature"] : undefined;
  return isText(signature) ? signature : undefined;
}
