import { GatewayError } from "../../../errors/gateway-error.ts";
import type { JsonObject } from "../../../wire/json.ts";
import { type Content, type ContentPart, isFilePart, isImagePart, isRefusalPart, isTextPart } from "./input-items.ts";
import { untranslatable } from "./untranslatable.ts";

/** The content of a chat message. */
export type ChatContent = string | JsonObject[];

/** Content for a chat completion. */
export interface TranslatedContent {
  readonly content: ChatContent;
  /** Why a target without the Responses API cannot get it. */
  readonly problem: GatewayError | undefined;
}

/**
 * Translates a content to that of a chat message. A single text becomes a string, which every upstream understands. `join`
 * also joins several texts with this separator. `param` is the path of the content.
 * Follows https://platform.openai.com/docs/api-reference/chat/create
 */
export function toChatContent(content: Content, param: string, join?: string): TranslatedContent {
  if (typeof content === "string") return { content, problem: undefined };
  const texts = content.filter(isTextPart);
  if (texts.length === content.length && (texts.length === 1 || join !== undefined)) {
    return { content: texts.map(({ text }) => text).join(join), problem: undefined };
  }
  let problem: GatewayError | undefined;
  const parts = content.map((part, at) => {
    const translated = toChatPart(part, `${param}.${at}`);
    problem ??= translated.problem;
    return translated.part;
  });
  return { content: parts, problem };
}

/** A part that cannot be translated is kept as it is, so that its size counts. */
function toChatPart(part: ContentPart, param: string): { part: JsonObject; problem?: GatewayError } {
  if (isTextPart(part)) return { part: { type: "text", text: part.text } };
  if (isRefusalPart(part)) return { part: { type: "refusal", refusal: part.refusal } };
  if (isImagePart(part)) {
    const { image_url: url, detail } = part;
    if (url == null) throw withoutData(part, param, "image_url");
    return { part: { type: "image_url", image_url: { url, ...(detail == null ? {} : { detail: detailOf(detail) }) } } };
  }
  if (isFilePart(part)) {
    const { file_data: data, file_url: url, filename } = part;
    const named = filename == null ? {} : { filename };
    if (data != null) return { part: { type: "file", file: { ...named, file_data: data } } };
    if (url == null) throw withoutData(part, param, "file_data");
    return { part: { type: "file", file: { ...named, file_data: url } }, problem: untranslatable(`${param}.file_url`) };
  }
  if (part.type === "input_audio") return { part };
  return { part, problem: untranslatable(`${param}.type`) };
}

/** A `file_id` is refused at any target: it would name a file of the host's account, which may be another customer's. */
function withoutData(part: JsonObject, param: string, member: string): GatewayError {
  if (part["file_id"] == null) {
    const missing = `${param}.${member}`;
    return new GatewayError("invalid_request", `\`${missing}\` is required.`, { param: missing });
  }
  const id = `${param}.file_id`;
  return new GatewayError("unsupported_parameter", `\`${id}\` is not supported here. Send \`${member}\` instead.`, {
    param: id,
  });
}

/** Chat completions do not know the original size. */
const detailOf = (detail: string): string => (detail === "original" ? "high" : detail);
