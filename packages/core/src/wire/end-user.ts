import type { ChatParameters } from "./chat-completion-request.ts";
import { isText } from "./present.ts";

const maxLength = 256;
/** NUL and half surrogate pairs, which databases cannot store. */
const unstorable = /[\0\p{Surrogate}]/gu;

/**
 * Returns the end user that a client names: `safety_identifier`, or the older `user`, at most 256 characters. Follows
 * https://platform.openai.com/docs/api-reference/chat/create
 */
export function endUserOf({ safety_identifier: id, user }: ChatParameters): string | undefined {
  const named = isText(id) ? id : user;
  return isText(named) ? named.slice(0, maxLength).replace(unstorable, "\ufffd") : undefined;
}
