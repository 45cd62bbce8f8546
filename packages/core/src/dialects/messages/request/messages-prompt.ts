import type { ChatMessage } from "../../../wire/chat-completion-request.ts";
import type { Outline } from "../../../wire/forwarding/inspection.ts";
import { isJsonObject, type JsonObject } from "../../../wire/json.ts";
import { type ContentPart, mediaOf, noUnknownParts } from "../../../wire/media.ts";
import type { Prompt } from "../../../wire/prompt.ts";
import type { Content } from "./chat-blocks.ts";
import type { MessagesRequest } from "./messages-schema.ts";

/** The members of a request that its model reads as its prompt. */
type Read = Pick<MessagesRequest, "system" | "messages">;

/** Returns the prompt of a request, whose images and files are counted at once. */
export function promptOfMessages(request: Read): Prompt {
  const { images, unknown } = mediaOf([{ content: request.system }, ...request.messages]);
  return new MessagesPrompt(request.messages.length, images, unknown, () => request);
}

/** Returns the prompt of a request that the scan has outlined. `whole` parses it. */
export const promptOfOutline = ({ messages, images }: Outline, whole: () => Read): Prompt =>
  new MessagesPrompt(messages.length, images, noUnknownParts, whole);

/** The messages of a request for its bounds. The texts of its blocks are mapped on first access, whether a chat completion can express them or not. */
class MessagesPrompt implements Prompt {
  readonly messageCount: number;
  readonly images: Prompt["images"];
  readonly unknown: Prompt["unknown"];
  readonly #request: () => Read;
  #messages: readonly ChatMessage[] | undefined;

  constructor(messages: number, images: Prompt["images"], unknown: Prompt["unknown"], request: () => Read) {
    // The system prompt counts as one.
    this.messageCount = messages + 1;
    this.images = images;
    this.unknown = unknown;
    this.#request = request;
  }

  get messages(): readonly ChatMessage[] {
    this.#messages ??= toTexts(this.#request());
    return this.#messages;
  }
}

function toTexts({ system, messages }: Read): readonly ChatMessage[] {
  const mapped: ChatMessage[] = messages.map(({ role, content }) => ({ role, content: toParts(content) }));
  if (system != null) mapped.unshift({ role: "system", content: toParts(system) });
  return mapped;
}

const toParts = (content: Content): string | ContentPart[] =>
  typeof content === "string" ? content : content.flatMap(toPart);

function toPart(block: JsonObject): readonly ContentPart[] {
  const { type, text, thinking, content, source, name, input } = block;
  if (type === "text") return [{ type, text }];
  if (type === "image") return [{ type: "image_url", image_url: { url: toUrl(source) } }];
  if (type === "document") return isJsonObject(source) ? toDocument(source) : [];
  if (type === "tool_use") return [{ type: "text", text: `${String(name)} ${JSON.stringify(input)}` }];
  if (type === "thinking") return [{ type: "text", text: String(thinking) }];
  if (typeof content === "string") return [{ type: "text", text: content }];
  if (Array.isArray(content)) return toInnerParts(content);
  return [{ type: "text", text: JSON.stringify(block) }];
}

const toInnerParts = (blocks: readonly unknown[]): readonly ContentPart[] =>
  blocks.flatMap((inner) => (isJsonObject(inner) ? toPart(inner) : []));

function toDocument(source: JsonObject): readonly ContentPart[] {
  const { type, data, content } = source;
  if (type === "text") return [{ type, text: data }];
  return Array.isArray(content) ? toInnerParts(content) : [{ type: "file", file: source }];
}

function toUrl(source: unknown): string {
  if (!isJsonObject(source)) return "";
  const { type, media_type: mediaType, data, url } = source;
  return type === "base64" ? `data:${String(mediaType)};base64,${String(data)}` : String(url ?? "");
}
