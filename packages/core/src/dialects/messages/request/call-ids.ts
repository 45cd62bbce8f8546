import { decodeUtf8, encodeUtf8 } from "../../../wire/bytes.ts";

const accepted = /^[\w-]{1,64}$/;
const prefix = "toolu_b64_";

/**
 * Returns the id of a tool call as clients and Anthropic's API accept it: letters, digits, "_" and "-". Any other id is
 * encoded, so that `toChatCallId` returns the one that the upstream sent.
 */
export function toMessagesCallId(id: string): string {
  if (accepted.test(id) && !id.startsWith(prefix)) return id;
  const binary = Array.from(encodeUtf8(id), (byte) => String.fromCharCode(byte)).join("");
  return prefix + btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Returns the id that the upstream gave a tool call. */
export function toChatCallId(id: string): string {
  if (!id.startsWith(prefix)) return id;
  try {
    const binary = atob(id.slice(prefix.length).replaceAll("-", "+").replaceAll("_", "/"));
    return decodeUtf8(Uint8Array.from(binary, (letter) => letter.charCodeAt(0))) ?? id;
  } catch {
    return id;
  }
}
