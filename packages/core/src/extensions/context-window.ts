import type { ContextWindow } from "../ports/model-calls.ts";
import type { Services } from "../request/services.ts";
import { byteLength } from "../wire/bytes.ts";
import type { ChatMessage } from "../wire/chat-completion-request.ts";
import { withoutImages } from "../wire/images.ts";
import { mediaOf } from "../wire/media.ts";
import { promptOf } from "../wire/prompt.ts";

/** Returns the context window of a model. Undefined for an unknown model, and for one without a window. */
export function contextWindowOf({ models, tokens }: Services, id: string): ContextWindow | undefined {
  const model = models.current().get(id);
  if (model?.contextWindow === undefined) return undefined;
  const { contextWindow, maxOutputTokens, imageTokens } = model;
  return {
    tokens: contextWindow,
    maxOutputTokens,
    count(messages) {
      const content = JSON.stringify(messages.map(textsOf));
      const texts = tokens.prompt(promptOf([{ role: "user", content }]), id, byteLength(content), 0);
      return texts + mediaOf(messages).images.count * imageTokens;
    },
  };
}

const textsOf = ({ content, reasoning_content: thoughts, tool_calls: calls }: ChatMessage) => ({
  content: withoutImages(content),
  thoughts,
  calls,
});
