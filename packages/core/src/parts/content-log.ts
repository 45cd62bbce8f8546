import { ContentLog } from "../content/content-log.ts";
import { type ContentOptions, contentSchema } from "../content/content-options.ts";
import { mergeChunks } from "../dialects/chat/merge-chunks.ts";
import { requireOptions } from "../options/problems.ts";
import type { ContentPart } from "../request/gateway-parts.ts";
import { type FrameMerges, RequestContentLog } from "../steps/log-content.ts";

/** Makes the part that stores content, from checked options. */
export const contentPart = (options: ContentOptions, merges: FrameMerges): ContentPart => ({
  option: "content",
  create: ({ observe, storeTimeoutMs }) =>
    new RequestContentLog(new ContentLog(options, observe, storeTimeoutMs), merges),
});

/**
 * Makes the option `content` of a gateway of `@tollgate/core/chat`, which stores prompts and answers of the models and keys
 * that have `logContent`. Throws a TypeError that lists all problems of the options.
 *
 * @example
 * createGateway({ content: contentLog({ store: memoryContentStore() }), ...options });
 */
export function contentLog(options: ContentOptions): ContentPart {
  return contentPart(requireOptions("contentLog", contentSchema, options), { chat: mergeChunks });
}
