import type { LanguageModelV3FilePart, LanguageModelV3TextPart, LanguageModelV3ToolResultPart } from "@ai-sdk/provider";
import type { ChatMessage, JsonObject } from "@tollgate/core/provider";
import { toAudio, toFile, toImage } from "./file-part.ts";
import { refusal } from "./refusal.ts";

type Content = ChatMessage["content"];
type UserPart = LanguageModelV3TextPart | LanguageModelV3FilePart;
type ToolOutput = LanguageModelV3ToolResultPart["output"];

/** Returns the text of a message that may contain only text, its parts joined by `separator`. Throws `rejected` for other parts. */
export function textOf(content: Content, separator: string, param: string): string {
  if (!Array.isArray(content)) return content ?? "";
  return content
    .map((part: JsonObject) => {
      const text = part["type"] === "refusal" ? part["refusal"] : part["type"] === "text" ? part["text"] : undefined;
      if (typeof text === "string") return text;
      throw refusal("The content of this message can contain text parts only. Leave other parts out.", param);
    })
    .join(separator);
}

/** Maps the content of a user message: text, images, audio and files. Throws `rejected` for any other part. */
export function toUserParts(content: Content, param: string): UserPart[] {
  if (!Array.isArray(content)) return [{ type: "text", text: content ?? "" }];
  return content.map((part, position) => toUserPart(part, `${param}.${position}`));
}

/** Maps the result of a tool: text, or text with images and files. */
export function toToolOutput(content: Content, param: string): ToolOutput {
  const parts = toUserParts(content, param);
  if (parts.every((part) => part.type === "text")) {
    return { type: "text", value: parts.map(({ text }) => text).join("") };
  }
  return { type: "content", value: parts.map((part) => (part.type === "text" ? part : toToolFile(part))) };
}

function toUserPart(part: JsonObject, param: string): UserPart {
  if (part["type"] === "text" && typeof part["text"] === "string") return { type: "text", text: part["text"] };
  if (part["type"] === "image_url") return toImage(part["image_url"], param);
  if (part["type"] === "input_audio") return toAudio(part["input_audio"], param);
  if (part["type"] === "file") return toFile(part["file"], param);
  throw refusal(
    "This model accepts parts of the types text, image_url, input_audio and file. Leave other parts out.",
    param,
  );
}

function toToolFile({ data, mediaType }: LanguageModelV3FilePart) {
  const isImage = mediaType.startsWith("image/");
  if (data instanceof URL) return { type: isImage ? "image-url" : "file-url", url: data.href } as const;
  return { type: isImage ? "image-data" : "file-data", data: String(data), mediaType } as const;
}
