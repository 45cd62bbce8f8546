import { byteLength } from "../wire/bytes.ts";
import { withoutImages } from "../wire/media.ts";
import type { Prompt } from "../wire/prompt.ts";
import { isTokenCount, type ReportedUsage } from "../wire/usage.ts";
import { estimateTokens } from "./cost.ts";

/** The output of a provider so far: its size, and its text for a host with `countTokens`. */
export interface Output {
  /** In UTF-8. */
  readonly outputBytes: number;
  /** The last usage that the provider reported, which covers the output up to then. */
  readonly reported: ReportedUsage | undefined;
  /** What the provider has shown of it as text. It lacks images, and what came after the client left. */
  outputText(): string;
  /** True if the provider has sent reasoning that is encrypted, redacted or empty, whose tokens are not in the bytes. */
  readonly hasHiddenReasoning: boolean;
}

/** The output of a provider that sent nothing. */
export const noOutput: Output = {
  outputBytes: 0,
  reported: undefined,
  outputText: () => "",
  hasHiddenReasoning: false,
};

/** Counts tokens when no provider reports them: by the host's function, or from bytes when there is none or it fails. */
export class TokenCounter {
  readonly #count: ((text: string, model: string) => number) | undefined;

  constructor(count: ((text: string, model: string) => number) | undefined) {
    this.#count = count;
  }

  /** True if a stream has to keep its text for the host's function. */
  get readsText(): boolean {
    return this.#count !== undefined;
  }

  /** Counts the tokens of a prompt whose JSON has `bodyBytes`. Each image has the model's tokens, however long its URL is. */
  prompt(prompt: Prompt, model: string, bodyBytes: number, imageTokens: number): number {
    const counted = this.#count && this.#countText(promptText(prompt), model);
    if (prompt.inputs !== undefined) return prompt.inputs.tokens + (counted ?? estimateTokens(prompt.inputs.textBytes));
    if (counted === undefined) return estimatePrompt(prompt, bodyBytes, imageTokens);
    return counted + prompt.images.count * imageTokens;
  }

  output(output: Output, model: string): number {
    const text = this.#count && output.outputText();
    const counted = text === undefined ? undefined : this.#countText(text, model);
    if (text === undefined || counted === undefined) return estimateTokens(output.outputBytes);
    return counted + estimateTokens(Math.max(0, output.outputBytes - byteLength(text)));
  }

  /** Returns the tokens that the host's function counts in a text. Undefined if there is none, or if it fails. */
  text(text: string, model: string): number | undefined {
    return this.#count && this.#countText(text, model);
  }

  /** Returns undefined if the host's function fails, so that the request is settled anyway. */
  #countText(text: string, model: string): number | undefined {
    try {
      const tokens = this.#count?.(text, model);
      return isTokenCount(tokens) ? tokens : undefined;
    } catch {
      return undefined;
    }
  }
}

/** Estimates the tokens of a prompt whose JSON has `bodyBytes`. Each image has the model's tokens, however long its URL is. */
export const estimatePrompt = ({ images }: Prompt, bodyBytes: number, imageTokens: number): number =>
  estimateTokens(Math.max(0, bodyBytes - images.addressLength)) + images.count * imageTokens;

/** The tokens that a part of unknown size is estimated to have. */
const tokensPerUnknownPart = 4_096;

/** Estimates the tokens of any prompt from its bytes: also of parts of unknown size, and of inputs of embeddings. */
export function estimateAnyPrompt(prompt: Prompt, bodyBytes: number, imageTokens: number): number {
  const { unknown, inputs } = prompt;
  if (inputs !== undefined) return inputs.tokens + estimateTokens(inputs.textBytes);
  return estimatePrompt(prompt, bodyBytes - unknown.textLength, imageTokens) + unknown.count * tokensPerUnknownPart;
}

function promptText(prompt: Prompt): string {
  return prompt.messages
    .map(({ content }) => (typeof content === "string" ? content : JSON.stringify(withoutImages(content) ?? "")))
    .join("\n");
}

/** The length in UTF-8 of a token of letters and spaces. English and code have longer ones than Chinese and Japanese. */
const lettersPerToken = 4.5;
/** Punctuation has more tokens: JSON and code would else count two thirds of what they are. */
const marksPerToken = 2;
/** Tokenizers of the last years split numbers into groups of so many digits. */
const digitsPerToken = 3;

/**
 * Estimates the tokens of a text within 25% of o200k_base, for prose in any script, code, JSON and logs. It reads each
 * character, so it is not for the path of a request, where a quarter of the bytes must do.
 */
export function estimateTextTokens(text: string): number {
  let letters = 0;
  let marks = 0;
  let numbers = 0;
  let digits = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= zero && code <= nine) {
      if (digits % digitsPerToken === 0) numbers += 1;
      digits += 1;
      continue;
    }
    digits = 0;
    if (code > lastAscii) letters += utf8Length(code);
    else if (code <= space || isLetter(code)) letters += 1;
    else marks += 1;
  }
  return Math.ceil(letters / lettersPerToken + marks / marksPerToken + numbers);
}

const space = 0x20;
const zero = 0x30;
const nine = 0x39;
const lastAscii = 0x7f;
const caseBit = 0x20;

const isLetter = (code: number): boolean => (code | caseBit) >= 0x61 && (code | caseBit) <= 0x7a;

/** A surrogate is half of a character of four bytes. */
const utf8Length = (code: number): number => (code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 2 : 3);
