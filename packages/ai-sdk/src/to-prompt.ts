import type {
  LanguageModelV3FilePart,
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  LanguageModelV3TextPart,
  LanguageModelV3ToolResultPart,
} from "@ai-sdk/provider";
import { isJsonObject, signatureOf } from "@tollgate/core/internal";
import { type ChatMessage, type JsonObject, ProviderError } from "@tollgate/core/provider";
import { readToolInput } from "./tool-input.ts";

/**
 * Maps the messages of a request to the prompt of a language model. Consecutive tool results become one message, as in
 * the SDK itself. Throws `rejected` for a content part that the SDK does not support.
 */
export function toPrompt(messages: readonly ChatMessage[]): LanguageModelV3Prompt {
  // A result has only the id of its call, but some models also need the name of the tool. A later turn may reuse an id.
  const names = new Map<string, string>();
  const prompt: LanguageModelV3Prompt = [];
  for (const [position, message] of messages.entries()) {
    const param = `messages.${position}.content`;
    const last = prompt.at(-1);
    for (const call of message.tool_calls ?? []) names.set(call.id, call.function.name);
    if (message.role !== "tool") prompt.push(toMessage(message, param));
    else if (last?.role === "tool") last.content.push(toToolResult(message, names, param));
    else prompt.push({ role: "tool", content: [toToolResult(message, names, param)] });
  }
  return prompt;
}

function toMessage(message: ChatMessage, param: string): LanguageModelV3Message {
  if (message.role === "user") return { role: "user", content: toUserParts(message.content, param) };
  if (message.role === "assistant") return { role: "assistant", content: toAssistantParts(message, param) };
  return { role: "system", content: textOf(message.content, "\n", param) };
}

function toAssistantParts(message: ChatMessage, param: string) {
  const reasoning = message["reasoning_content"] ?? message["reasoning"];
  const text = textOf(message.content, "", param);
  const parts: Extract<LanguageModelV3Message, { role: "assistant" }>["content"] = [];
  if (typeof reasoning === "string" && reasoning !== "") parts.push({ type: "reasoning", text: reasoning });
  if (text !== "") parts.push({ type: "text", text });
  for (const call of message.tool_calls ?? []) {
    const { name, arguments: args } = call.function;
    const signature = signatureOf(call);
    parts.push({
      type: "tool-call",
      toolCallId: call.id,
      toolName: name,
      input: readToolInput(args),
      ...(signature === undefined ? {} : { providerOptions: optionsOf(signature) }),
    });
  }
  return parts;
}

/** Gemini requires the signature of a call in later requests. */
const optionsOf = (thoughtSignature: string) => ({ google: { thoughtSignature }, vertex: { thoughtSignature } });

function toToolResult(
  message: ChatMessage,
  names: ReadonlyMap<string, string>,
  param: string,
): LanguageModelV3ToolResultPart {
  const id = message.tool_call_id ?? "";
  return {
    type: "tool-result",
    toolCallId: id,
    toolName: names.get(id) ?? message.name ?? "unknown",
    output: toToolOutput(message.content, param),
  };
}

/** Returns the text of a message that may contain only text, its parts joined by `separator`. Throws `rejected` for other parts. */
function textOf(content: ChatMessage["content"], separator: string, param: string): string {
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
function toUserParts(
  content: ChatMessage["content"],
  param: string,
): (LanguageModelV3TextPart | LanguageModelV3FilePart)[] {
  if (!Array.isArray(content)) return [{ type: "text", text: content ?? "" }];
  return content.map((part, position) => toUserPart(part, `${param}.${position}`));
}

/** Maps the result of a tool: text, or text with images and files. */
function toToolOutput(content: ChatMessage["content"], param: string): LanguageModelV3ToolResultPart["output"] {
  const parts = toUserParts(content, param);
  if (parts.every((part) => part.type === "text")) {
    return { type: "text", value: parts.map(({ text }) => text).join("") };
  }
  return { type: "content", value: parts.map((part) => (part.type === "text" ? part : toToolFile(part))) };
}

function toUserPart(part: JsonObject, param: string): LanguageModelV3TextPart | LanguageModelV3FilePart {
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

/** Maps an `image_url` to a file part: the bytes of a data URL, or an http URL that the upstream fetches. */
function toImage(image: unknown, param: string): LanguageModelV3FilePart {
  const { url, detail } = isJsonObject(image) ? image : {};
  const file = typeof url === "string" ? (readImageData(url) ?? readHttpUrl(url)) : undefined;
  if (file === undefined)
    throw refusal("image_url must be a base64 data URL of an image, or an http or https URL.", param);
  const detailed = typeof detail === "string" ? { providerOptions: { openai: { imageDetail: detail } } } : {};
  return { type: "file", ...file, ...detailed };
}

function toAudio(audio: unknown, param: string): LanguageModelV3FilePart {
  const { data, format } = isJsonObject(audio) ? audio : {};
  if (typeof data === "string" && typeof format === "string" && /^[\w.-]{1,40}$/.test(format)) {
    return { type: "file", data, mediaType: `audio/${format}` };
  }
  throw refusal("input_audio must have base64 data and a format such as wav or mp3.", param);
}

/** Maps a `file` whose bytes are in the request. A file id is rejected, since it is valid only at the upstream that issued it. */
function toFile(file: unknown, param: string): LanguageModelV3FilePart {
  const { file_data: data, filename } = isJsonObject(file) ? file : {};
  const read = typeof data === "string" ? readDataUrl(data, "application/octet-stream") : undefined;
  if (read === undefined) throw refusal("file must have its bytes in file_data, as a base64 data URL.", param);
  return { type: "file", ...read, ...(typeof filename === "string" ? { filename } : {}) };
}

/** Accepts only images: a file of another media type can cost more tokens than the hold reserves for an image. */
function readImageData(url: string) {
  const file = readDataUrl(url, "");
  return file?.mediaType.startsWith("image/") ? file : undefined;
}

/** Follows RFC 2397, but accepts only base64. */
function readDataUrl(url: string, defaultType: string) {
  const comma = url.indexOf(",");
  const head = /^data:([^;]*)(?:;[^;]*)*;base64$/i.exec(url.slice(0, Math.max(0, comma)));
  if (head === null) return undefined;
  return { data: url.slice(comma + 1), mediaType: head[1]?.toLowerCase() || defaultType };
}

function readHttpUrl(url: string) {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined;
  return { data: new URL(url), mediaType: "image/*" };
}

/** Creates the error for a request that the SDK has no way to express. `message` tells the client what to change. */
export function refusal(message: string, param: string): ProviderError {
  return new ProviderError("rejected", `The AI SDK cannot express this request: ${message}`, {
    clientMessage: message,
    param,
  });
}
