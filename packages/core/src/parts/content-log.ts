import { type ContentOptions, contentSchema } from "../content/content-options.ts";
import { mergeChunks } from "../dialects/chat/merge-chunks.ts";
import { requireOptions } from "../options/problems.ts";
import type { ContentPart } from "../request/gateway-parts.ts";
import { contentPart } from "../steps/log-content.ts";

/**
 * Makes the option `content` of a gateway of `@tollgate/core/chat`, which stores prompts and answers of the models and keys
 * that have `logContent`. Throws a TypeError that lists all problems of the options.
 */
export function contentLog(options: ContentOptions): ContentPart {
  return contentPart(requireOptions("contentLog", contentSchema, options), { chat: mergeChunks });
}
