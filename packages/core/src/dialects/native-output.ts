import type { Output } from "../money/token-counter.ts";
import type { JsonObject } from "../wire/json.ts";
import { outputBytes, readOutput } from "../wire/output-text.ts";
import type { ReportedUsage } from "../wire/usage.ts";

/** The output of a native answer in one piece, which is charged if its usage is missing. */
export class NativeOutput implements Output {
  readonly reported: ReportedUsage | undefined;
  readonly hasHiddenReasoning = false;
  readonly #written: JsonObject;
  readonly #imageTokens: number | undefined;
  readonly #separator: string;

  /** `content` has the blocks or items of the answer, and `separator` stands between their texts. `usage` is what was reported, if it counts. */
  constructor(
    content: unknown,
    usage: ReportedUsage["usage"] | undefined,
    imageTokens: number | undefined,
    separator: string,
  ) {
    this.#written = { content };
    this.#imageTokens = imageTokens;
    this.#separator = separator;
    this.reported = usage && { usage, outputBytes: this.outputBytes };
  }

  get outputBytes(): number {
    return outputBytes(this.#written, this.#imageTokens);
  }

  outputText(): string {
    return readOutput(this.#written).texts.join(this.#separator);
  }
}
