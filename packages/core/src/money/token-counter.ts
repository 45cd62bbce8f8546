import { withoutImages } from "../wire/images.ts";
import type { Prompt } from "../wire/prompt.ts";
import { isTokenCount, type ReportedUsage } from "../wire/usage.ts";
import { estimateTokens } from "./bounds.ts";

/** What a provider has put out so far: its size, and its text for a host that counts tokens itself. */
export interface Output {
  /** In UTF-8. */
  readonly outputBytes: number;
  /** The last usage that the provider reported for it, as far as it had come then. */
  readonly reported: ReportedUsage | undefined;
  outputText(): string;
  /** The part of `outputBytes` that `outputText` has not kept. */
  readonly unkeptBytes: number;
}

/** Nothing came from the provider. */
export const noOutput: Output = { outputBytes: 0, reported: undefined, outputText: () => "", unkeptBytes: 0 };

/** Counts tokens when no provider tells: by the host's function, or from bytes when there is none or it fails. */
export class TokenCounter {
  readonly #count: ((text: string, model: string) => number) | undefined;

  constructor(count: ((text: string, model: string) => number) | undefined) {
    this.#count = count;
  }

  /** Texts are wanted, so a stream has to keep what it gave out. */
  get readsText(): boolean {
    return this.#count !== undefined;
  }

  /** Tokens of a prompt whose JSON has so many bytes; each image has the model's tokens, however long its address is. */
  prompt(prompt: Prompt, model: string, bodyBytes: number, imageTokens: number): number {
    const { count, addressLength } = prompt.images;
    const counted = this.#count && this.#believed(promptText(prompt), model);
    return (counted ?? estimateTokens(Math.max(0, bodyBytes - addressLength))) + count * imageTokens;
  }

  output(output: Output, model: string): number {
    const counted = this.#count && this.#believed(output.outputText(), model);
    if (counted === undefined) return estimateTokens(output.outputBytes);
    return counted + estimateTokens(output.unkeptBytes);
  }

  /** A host's function that fails must leave no request unsettled. */
  #believed(text: string, model: string): number | undefined {
    try {
      const tokens = this.#count?.(text, model);
      return isTokenCount(tokens) ? tokens : undefined;
    } catch {
      return undefined;
    }
  }
}

function promptText(prompt: Prompt): string {
  return prompt.messages
    .map(({ content }) => (typeof content === "string" ? content : JSON.stringify(withoutImages(content) ?? "")))
    .join("\n");
}
