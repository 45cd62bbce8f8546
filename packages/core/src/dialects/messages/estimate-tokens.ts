import { estimateTextTokens, type TokenCounter } from "../../money/token-counter.ts";
import type { Model } from "../../ports/model.ts";
import { decodeUtf8 } from "../../wire/bytes.ts";
import { isJsonObject, isText } from "../../wire/json.ts";
import { isNamed, scanJson } from "../../wire/json-members.ts";
import type { Prompt } from "../../wire/prompt.ts";

/** The marks around a message and its role, in the templates of most models. */
const tokensPerMessage = 4;
/** The start of the answer, which ends the prompt. */
const tokensPerRequest = 3;
/** What a part of unknown size counts, such as a PDF of two pages. The hold counts the most that it could be. */
const tokensPerUnknownPart = 4_096;

/**
 * Estimates the input tokens of a request: those that the host counts in its texts, or else those of their characters, and
 * those of the template, of images and of files. `body` is the request as the client sent it.
 */
export function estimateInputTokens(
  tokens: Pick<TokenCounter, "text">,
  prompt: Prompt,
  model: Model,
  body: Uint8Array,
): number {
  const text = [...messageTexts(prompt), ...toolTexts(body)].join("\n");
  const template = tokensPerMessage * prompt.messages.length + tokensPerRequest;
  const media = prompt.images.count * model.imageTokens + prompt.unknown.count * tokensPerUnknownPart;
  return template + media + (tokens.text(text, model.id) ?? estimateTextTokens(text));
}

const messageTexts = ({ messages }: Prompt): string[] =>
  messages.flatMap(({ content }) => {
    if (typeof content === "string") return [content];
    return (content ?? []).map(({ text }) => text).filter(isText);
  });

/** The texts of the tools. Templates write a schema in several ways, with less punctuation than JSON has. */
function toolTexts(body: Uint8Array): string[] {
  const scan = scanJson(body);
  const tools = "exceeded" in scan ? undefined : scan.members.findLast((member) => isNamed(body, member, "tools"));
  if (tools === undefined) return [];
  const texts: string[] = [];
  addTexts(texts, JSON.parse(decodeUtf8(body.subarray(tools.valueStart, tools.valueEnd)) ?? "null"));
  return texts;
}

/** The depth of a body is bounded. */
function addTexts(texts: string[], value: unknown): void {
  if (typeof value === "string") texts.push(value);
  else if (Array.isArray(value)) for (const each of value) addTexts(texts, each);
  else if (isJsonObject(value)) {
    for (const name in value) {
      texts.push(name);
      addTexts(texts, value[name]);
    }
  }
}
