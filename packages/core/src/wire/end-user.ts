import { toStorableText } from "./bytes.ts";
import type { ChatParameters } from "./chat-completion-request.ts";
import { isText } from "./json.ts";

const maxLength = 256;

/** Members of a request with names that clients choose, for their end users and conversations. */
export const clientIds = ["prompt_cache_key", "safety_identifier", "user"] as const;

/**
 * Returns the end user that a client names: `safety_identifier`, or the older `user`, at most 256 characters. Follows
 * https://platform.openai.com/docs/api-reference/chat/create
 */
export function endUserOf({ safety_identifier: id, user }: ChatParameters): string | undefined {
  const named = isText(id) ? id : user;
  return isText(named) ? toStorableText(named.slice(0, maxLength)) : undefined;
}
