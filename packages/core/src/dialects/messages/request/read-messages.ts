import type { GatewayError } from "../../../errors/gateway-error.ts";
import { once } from "../../../runtime/once.ts";
import { schemaError } from "../../../steps/parse-request.ts";
import { decodeUtf8 } from "../../../wire/bytes.ts";
import type { ChatMessage } from "../../../wire/chat-completion-request.ts";
import type { Inspection } from "../../../wire/forwarding/inspection.ts";
import { parseOutlined } from "../../../wire/forwarding/request-text.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../wire/json.ts";
import { type ContentPart, mediaOf, noUnknownParts } from "../../../wire/media.ts";
import type { Prompt } from "../../../wire/prompt.ts";
import { DeferredPrompt } from "../../deferred-prompt.ts";
import { type Content, whyUntranslatable } from "./chat-blocks.ts";
import { areSigned } from "./messages-native-request.ts";
import {
  type MessagesRequest,
  type MessagesSettings,
  messagesShape,
  readMessagesRequest,
  readMessagesSettings,
} from "./messages-schema.ts";

/** What the checks need of a Messages request. */
export interface ReadMessages {
  readonly settings: MessagesSettings;
  readonly prompt: Prompt;
  /** Why only targets that speak the dialect can serve it. */
  readonly untranslatable: GatewayError | undefined;
  /** False if thoughts have no signature. */
  readonly isSigned: boolean;
  /** Returns the request as a whole. */
  whole(): MessagesRequest;
}

/**
 * Reads a request whose messages, system prompt and tools the scan has validated, which are then parsed on first access.
 * Such a request can be translated, and all its thoughts are signed. Returns undefined if it must be parsed as a whole.
 */
export function readUnparsedMessages(
  body: Uint8Array,
  inspection: Inspection,
  counts: boolean,
): ReadMessages | undefined {
  const parsed = parseOutlined(body, inspection, messagesShape);
  if (parsed === undefined) return undefined;
  const read = readMessagesSettings(parsed.settings, counts);
  if ("problem" in read) throw schemaError(read.problem);
  const whole = once(() => requestOf(JSON.parse(decodeUtf8(body) ?? ""), counts));
  const { messages, images } = parsed.outline;
  const prompt = new DeferredPrompt(messages.length, images, noUnknownParts, whole, toTexts);
  return { settings: read.settings, prompt, untranslatable: undefined, isSigned: true, whole };
}

/** Reads a parsed request. The reference implementation of {@link readUnparsedMessages}. Throws 400 if it does not match the schema. */
export function readParsedMessages(value: Json, counts: boolean): ReadMessages {
  const request = requestOf(value, counts);
  return {
    settings: request,
    prompt: promptOfMessages(request),
    untranslatable: whyUntranslatable(request),
    isSigned: areSigned(request.messages),
    whole: () => request,
  };
}

function requestOf(value: Json, counts: boolean): MessagesRequest {
  const read = readMessagesRequest(value, counts);
  if ("problem" in read) throw schemaError(read.problem);
  return read.request;
}

/** Returns the prompt of a request, whose images and files are counted at once. */
export function promptOfMessages(request: MessagesRequest): Prompt {
  const { system, messages } = request;
  const { images, unknown } = mediaOf([{ content: system }, ...messages]);
  return new DeferredPrompt(messages.length, images, unknown, () => request, toTexts);
}

/** The texts of the blocks for the bounds, whether a chat completion can express them or not. */
function toTexts({ system, messages }: Pick<MessagesRequest, "system" | "messages">): readonly ChatMessage[] {
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
