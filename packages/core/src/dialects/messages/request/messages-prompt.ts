import type { ChatMessage } from "../../../wire/chat-completion-request.ts";
import type { Outline } from "../../../wire/forwarding/inspect-request.ts";
import type { ContentPart, Images } from "../../../wire/images.ts";
import { isJsonObject, type JsonObject } from "../../../wire/json.ts";
import type { Prompt } from "../../../wire/prompt.ts";
import { noUnknownParts, type UnknownParts } from "../../../wire/unknown-parts.ts";
import type { Content } from "./chat-blocks.ts";
import type { MessagesRequest } from "./messages-schema.ts";

/** The members of a request that its model reads as its prompt. */
type Read = Pick<MessagesRequest, "system" | "messages">;

/** Returns the prompt of a request, whose images and files are counted at once. */
export function promptOfMessages(request: Read): Prompt {
  const counts = new BlockCounts();
  for (const { content } of request.messages) counts.addContent(content);
  const images = { count: counts.images, addressLength: counts.imageLength };
  const unknown = { count: counts.files, textLength: counts.fileLength };
  return new MessagesPrompt(request.messages.length, images, unknown, () => request);
}

/** Returns the prompt of a request that the scan has outlined. `whole` parses it. */
export const promptOfOutline = ({ messages, images }: Outline, whole: () => Read): Prompt =>
  new MessagesPrompt(messages.length, images, noUnknownParts, whole);

/** The messages of a request for its bounds. The texts of its blocks are mapped on first access, whether a chat completion can express them or not. */
class MessagesPrompt implements Prompt {
  readonly messageCount: number;
  readonly images: Images;
  readonly unknown: UnknownParts;
  readonly #request: () => Read;
  #messages: readonly ChatMessage[] | undefined;

  constructor(messages: number, images: Images, unknown: UnknownParts, request: () => Read) {
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

class BlockCounts {
  images = 0;
  imageLength = 0;
  files = 0;
  fileLength = 0;

  addContent(content: unknown): void {
    if (!Array.isArray(content)) return;
    for (const block of content) if (isJsonObject(block)) this.#add(block);
  }

  #add({ type, source, content }: JsonObject): void {
    this.addContent(content);
    if (type === "image") {
      this.images += 1;
      this.imageLength += addressLength(source);
    } else if (type === "container_upload") {
      this.files += 1;
    } else if (type === "document" && isJsonObject(source)) {
      this.addContent(source["content"]);
      if (source["type"] === "text" || source["type"] === "content") return;
      this.files += 1;
      this.fileLength += addressLength(source);
    }
  }
}

/** The length of what a source holds or refers to, which the model does not read as text. */
function addressLength(source: unknown): number {
  if (!isJsonObject(source)) return 0;
  const { data, url } = source;
  return (typeof data === "string" ? data.length : 0) + (typeof url === "string" ? url.length : 0);
}

function toTexts({ system, messages }: Read): readonly ChatMessage[] {
  const mapped: ChatMessage[] = messages.map(({ role, content }) => ({ role, content: toParts(content) }));
  if (system != null) mapped.unshift({ role: "system", content: toParts(system) });
  return mapped;
}

const toParts = (content: Content): string | ContentPart[] =>
  typeof content === "string" ? content : content.flatMap(toPart);

function toPart(block: JsonObject): readonly ContentPart[] {
  const { type, text, content, source } = block;
  if (type === "text") return [{ type, text }];
  if (type === "image") return [{ type: "image_url", image_url: { url: toUrl(source) } }];
  if (type === "document") return isJsonObject(source) ? [{ type: "file", file: source }] : [];
  if (Array.isArray(content)) return content.flatMap((inner) => (isJsonObject(inner) ? toPart(inner) : []));
  return [{ type: "text", text: JSON.stringify(block) }];
}

function toUrl(source: unknown): string {
  if (!isJsonObject(source)) return "";
  const { type, media_type: mediaType, data, url } = source;
  return type === "base64" ? `data:${String(mediaType)};base64,${String(data)}` : String(url ?? "");
}
