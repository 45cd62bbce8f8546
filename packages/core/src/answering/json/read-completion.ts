import { ProviderError } from "../../errors/provider-error.ts";
import { contextOf } from "../../failures/failure.ts";
import { isImplausible } from "../../money/cost.ts";
import type { Output } from "../../money/token-counter.ts";
import type { ModelTarget } from "../../ports/model.ts";
import type { CompletionBytes, ProviderAnswer } from "../../ports/provider-adapter.ts";
import { bodyText, isCompletionBytes, readCompletionBody } from "../../providers/completion-body.ts";
import { boundOf, type PaidCall } from "../../request/paid-call.ts";
import { interrupted } from "../../streaming/interrupted.ts";
import { standardUsage } from "../../wire/answer-form.ts";
import { forwardCompletion } from "../../wire/forwarding/forward-completion.ts";
import {
  type Normalized,
  type NormalizedChoice,
  type NormalizedCompletion,
  normalizeCompletion,
} from "../../wire/normalize-completion.ts";
import { outputBytes, outputText } from "../../wire/output-text.ts";
import type { ReportedUsage, Usage } from "../../wire/usage.ts";
import type { ReadAnswer } from "../model-api.ts";

/** The parts of the request that reading its answer needs. */
type Asked = Pick<PaidCall, "model" | "size" | "hold"> & {
  readonly exchange: Pick<PaidCall["exchange"], "requestId" | "startedAt">;
};

/** A provider's answer, normalized, and as JSON for the client. */
export interface ReadCompletion extends Normalized, ReadAnswer {}

/** Normalizes and checks a provider's answer. Throws a ProviderError if it is an error or not a completion. */
export function readCompletion(asked: Asked, target: ModelTarget, given: ProviderAnswer): ReadCompletion {
  return isCompletionBytes(given) ? readBytes(asked, target, given) : write(asked, normalize(asked, target, given));
}

/** Runs before the answer is charged, because JSON.stringify throws for deep nesting and for values such as a BigInt. */
function write({ model }: Asked, normalized: Normalized): ReadCompletion {
  try {
    return new ParsedCompletion(normalized, JSON.stringify(normalized.completion), model.imageTokens);
  } catch (cause) {
    throw new ProviderError("invalid_response", "The answer cannot be written as JSON.", { cause });
  }
}

function normalize(asked: Asked, { provider }: ModelTarget, completion: unknown): Normalized {
  const identity = {
    model: asked.model.id,
    id: `chatcmpl-${asked.exchange.requestId}`,
    created: Math.floor(asked.exchange.startedAt / 1000),
  };
  const normalized = normalizeCompletion(completion, identity, provider.capabilities.answers);
  if (normalized === undefined) throw new ProviderError("invalid_response", "The answer is not a chat completion.");
  if (normalized.completion.choices.some(isInterrupted)) throw interrupted();
  return normalized;
}

const isInterrupted = (choice: NormalizedChoice): boolean => choice.finish_reason === "interrupted";

/** Most answers need only another model name, which is replaced in their text. */
function readBytes(asked: Asked, target: ModelTarget, answer: CompletionBytes): ReadCompletion {
  const { body } = answer;
  const context = () => contextOf(target, asked.model.id, answer);
  const text = bodyText(body);
  const parsed = readCompletionBody(body, context, text);
  const { answers } = target.provider.capabilities;
  const isStandard = answers === undefined || standardUsage(parsed.usage, answers) === parsed.usage;
  const forwarded = text !== undefined && isStandard ? forwardCompletion(text, parsed, asked.model) : undefined;
  if (forwarded === undefined) return write(asked, normalize(asked, target, parsed));
  const { completion, usage, json } = forwarded;
  const whole = { completion, usage, partialUsage: undefined };
  // An implausible usage is replaced after the charge. Writing the JSON now shows before the charge whether that can fail.
  return isImplausible(target.price, usage, boundOf(asked))
    ? write(asked, whole)
    : new ParsedCompletion(whole, json, asked.model.imageTokens);
}

class ParsedCompletion implements ReadCompletion {
  readonly json: string;
  readonly completion: NormalizedCompletion;
  readonly usage: Usage | undefined;
  readonly partialUsage: Normalized["partialUsage"];
  readonly #imageTokens: number;

  constructor({ completion, usage, partialUsage }: Normalized, json: string, imageTokens: number) {
    this.#imageTokens = imageTokens;
    this.json = json;
    this.completion = completion;
    this.usage = usage;
    this.partialUsage = partialUsage;
  }

  get output(): Output {
    return new CompletionOutput(this, this.#imageTokens);
  }

  get answerId(): string {
    return this.completion.id;
  }

  get finishReasons(): readonly string[] {
    return this.completion.choices.map(({ finish_reason: reason }) => reason);
  }

  withUsage(charged: Usage): string {
    const { completion } = this;
    completion.usage = charged;
    return JSON.stringify(completion);
  }
}

/** The output of a completion, which is charged if the usage is missing. */
class CompletionOutput implements Output {
  readonly hidesReasoning = false;
  readonly #read: Normalized;
  readonly #imageTokens: number;

  constructor(read: Normalized, imageTokens: number) {
    this.#read = read;
    this.#imageTokens = imageTokens;
  }

  get outputBytes(): number {
    return this.#read.completion.choices.reduce((sum, { message }) => sum + outputBytes(message, this.#imageTokens), 0);
  }

  get reported(): ReportedUsage | undefined {
    const { partialUsage: usage } = this.#read;
    return usage && { usage, outputBytes: this.outputBytes };
  }

  outputText(): string {
    return this.#read.completion.choices.map(({ message }) => outputText(message)).join("\n");
  }
}
