import { byteLength } from "./bytes.ts";
import { isJsonObject, isText, type JsonObject } from "./json.ts";

/** The members of a message or delta that hold output text of the model. */
export const textMembers = ["content", "reasoning_content", "reasoning", "refusal"] as const;

/** The bytes of text that an estimate counts as one token. */
export const bytesPerToken = 4;

/**
 * The tokens of an image that a model without `imageTokens` makes: those of Gemini for one of 1,024 by 1,024 pixels.
 * Follows https://ai.google.dev/gemini-api/docs/pricing
 */
const usualImageTokens = 1_290;

/** What a model wrote: a message or delta of a chat completion, or an item, a part, a block or an event of another dialect. */
export interface ModelOutput {
  /** Its texts, and the names and inputs of its calls, without empty ones. Reasoning that stands under several names is here once. */
  readonly texts: readonly string[];
  readonly images: readonly JsonObject[];
  /** True if some of its reasoning is encrypted or redacted, so that its length says little about its cost. */
  readonly hasHiddenReasoning: boolean;
}

/**
 * Reads the output in an object, whatever member holds it, since upstreams have members of their own, such as
 * `reasoning_details`, `images` and `audio`. Only ids, signatures, citations and names of the format are no output.
 */
export function readOutput(message: JsonObject): ModelOutput {
  const found = new FoundOutput();
  found.readMessage(message);
  return found;
}

/** Returns the length of an output in UTF-8. An image counts as its bytes, and at least as an image, which has `imageTokens`. */
export function bytesOfOutput({ texts, images }: ModelOutput, imageTokens = 0): number {
  let bytes = 0;
  for (const text of texts) bytes += byteLength(text);
  for (const image of images)
    bytes += Math.max(bytesPerToken * (imageTokens || usualImageTokens), textLength(image, 0));
  return bytes;
}

/** Returns the length in UTF-8 of the output of a message or delta. */
export const outputBytes = (message: JsonObject, imageTokens?: number): number =>
  bytesOfOutput(readOutput(message), imageTokens);

/** Returns the texts of an output as one. */
export const outputText = (message: JsonObject): string => readOutput(message).texts.join("");

/** Returns the output text of all choices of a chunk. */
export function chunkText(chunk: JsonObject): string {
  const choices: unknown[] = Array.isArray(chunk["choices"]) ? chunk["choices"] : [];
  return choices
    .map((choice) => (isJsonObject(choice) && isJsonObject(choice["delta"]) ? outputText(choice["delta"]) : ""))
    .join("");
}

/** Members that hold no output of the model, whose values are texts or objects. */
const noOutput: ReadonlySet<string> = new Set([
  "annotation",
  "annotations",
  "call_id",
  "caller",
  "citation",
  "citations",
  "container_id",
  "finish_reason",
  "format",
  "id",
  "item_id",
  "logprobs",
  "media_type",
  "mime_type",
  "namespace",
  "obfuscation",
  "phase",
  "role",
  "server_label",
  "signature",
  "status",
  "thought_signature",
  "tool_call_id",
  "tool_use_id",
  "type",
]);
/** Members that are objects, and hold no text where they are none. */
const objectsOnly: ReadonlySet<string> = new Set(["function_call", "tool_calls"]);
/** The inputs of calls, which the model writes as JSON. */
const writtenJson: ReadonlySet<string> = new Set(["input", "arguments", "action"]);
/** Deeper output is not counted, so that an upstream cannot exhaust the stack. */
const maxDepth = 100;

class FoundOutput implements ModelOutput {
  readonly texts: string[] = [];
  readonly images: JsonObject[] = [];
  hasHiddenReasoning = false;

  readMessage(message: JsonObject): void {
    if (this.#takeImage(message)) return;
    const { reasoning_content: thoughts, reasoning } = message;
    for (const name of textMembers) {
      if (name !== "reasoning" || reasoning !== thoughts) this.#add(name, message[name], 0);
    }
    for (const name in message) {
      if (noOutput.has(name) || isTextMember(name)) continue;
      const start = this.texts.length;
      this.#add(name, message[name], 0);
      if (this.texts.length > start) this.#dropRepeated(start, [thoughts, reasoning]);
    }
  }

  #add(name: string, value: unknown, depth: number): void {
    if (typeof value === "string") {
      if (value !== "" && !objectsOnly.has(name)) this.texts.push(value);
    } else if (typeof value !== "object" || value === null || depth > maxDepth) return;
    else if (Array.isArray(value)) for (const each of value) this.#add(name, each, depth + 1);
    else if (isJsonObject(value)) this.#addObject(name, value, depth + 1);
  }

  #addObject(name: string, value: JsonObject, depth: number): void {
    if (this.#takeImage(value)) return;
    if (writtenJson.has(name)) {
      const json = jsonOf(value);
      if (json !== "{}") this.texts.push(json);
      return;
    }
    for (const inner in value) if (!noOutput.has(inner)) this.#add(inner, value[inner], depth);
  }

  /** Takes an object that is an image. Also notes what hides reasoning. */
  #takeImage(object: JsonObject): boolean {
    this.hasHiddenReasoning ||= isHiddenReasoning(object);
    if (!isImage(object)) return false;
    this.images.push(object);
    return true;
  }

  /** Drops the texts from `start` on that repeat the reasoning, as one text or as pieces. */
  #dropRepeated(start: number, reasoning: readonly unknown[]): void {
    const known = reasoning.filter(isText);
    if (known.length === 0) return;
    const added = this.texts.splice(start);
    if (!known.includes(added.join(""))) this.texts.push(...added.filter((text) => !known.includes(text)));
  }
}

const isTextMember = (name: string): boolean => textMembers.some((each) => each === name);

/** Members that hold an image wherever they are, and those that hold one in an object whose type says so. */
const imageMembers = ["image_url", "b64_json", "partial_image_b64"];
const imageData = ["url", "data", "result", "source"];

function isImage(object: JsonObject): boolean {
  for (const name of imageMembers) if (isFilled(object[name])) return true;
  const { type } = object;
  return typeof type === "string" && type.includes("image") && imageData.some((name) => isFilled(object[name]));
}

const isFilled = (value: unknown): boolean => isText(value) || isJsonObject(value);

/** Encrypted reasoning of Anthropic, of OpenRouter's `reasoning_details`, and of the Responses API. */
const isHiddenReasoning = ({ type, encrypted_content: encrypted }: JsonObject): boolean =>
  type === "redacted_thinking" || type === "reasoning.encrypted" || (type === "reasoning" && isText(encrypted));

/** The length of all texts in a value, in UTF-16. The data of an image is ASCII. */
function textLength(value: unknown, depth: number): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null || depth > maxDepth) return 0;
  let length = 0;
  for (const inner of Object.values(value)) length += textLength(inner, depth + 1);
  return length;
}

/** Returns an empty text for a value that cannot be written, such as one that is nested too deeply. */
function jsonOf(value: JsonObject): string {
  try {
    return JSON.stringify(value);
  } catch {
    return "{}";
  }
}
