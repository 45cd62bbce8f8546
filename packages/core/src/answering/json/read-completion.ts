import { interrupted, ProviderError } from "../../errors/provider-error.ts";
import type { Output } from "../../money/token-counter.ts";
import type { ModelTarget } from "../../ports/model.ts";
import type { ProviderAnswer } from "../../ports/provider-adapter.ts";
import { isCompletionBytes, readCompletionBody } from "../../providers/completion-body.ts";
import type { PaidCall } from "../../request/paid-call.ts";
import { contextOf } from "../../upstream/failure.ts";
import { asText } from "../../wire/bytes.ts";
import { type ScannedCompletion, scanCompletion } from "../../wire/forwarding/scan-completion.ts";
import { type Normalized, type NormalizedCompletion, normalizeCompletion } from "../../wire/normalize-completion.ts";
import { outputBytes, outputText } from "../../wire/output-text.ts";
import type { ReportedUsage, Usage } from "../../wire/usage.ts";
import type { ReadAnswer } from "../model-api.ts";

/** The parts of the request that reading its answer needs. */
type Asked = Pick<PaidCall, "model"> & {
  readonly exchange: Pick<PaidCall["exchange"], "requestId" | "startedAt">;
};

/** A provider's answer, normalized, and as JSON for the client. */
export interface ReadCompletion extends ReadAnswer {
  /** The value of `json`, or of `withUsage` after it was called. */
  readonly completion: NormalizedCompletion;
}

/** Normalizes and checks a provider's answer. Throws a ProviderError if it is an error or not a completion. */
export function readCompletion(asked: Asked, target: ModelTarget, answer: ProviderAnswer): ReadCompletion {
  if (!isCompletionBytes(answer)) return normalize(asked, target, answer);
  const { model } = asked;
  // Most answers need only another model name, which is replaced in their bytes.
  const scanned = scanCompletion(answer.body, model, target.provider.capabilities.answers);
  if (scanned !== undefined) return new CompletionAnswer(scanned, model.imageTokens);
  return normalize(
    asked,
    target,
    readCompletionBody(answer.body, () => contextOf(target, model.id, answer)),
  );
}

function normalize({ model, exchange }: Asked, { provider }: ModelTarget, answer: unknown): ReadCompletion {
  const identity = {
    model: model.id,
    id: `chatcmpl-${exchange.requestId}`,
    created: Math.floor(exchange.startedAt / 1000),
  };
  const normalized = normalizeCompletion(answer, identity, provider.capabilities.answers);
  if (normalized === undefined) throw new ProviderError("invalid_response", "The answer is not a chat completion.");
  const { completion, usage } = normalized;
  const finishReasons = completion.choices.map(({ finish_reason: reason }) => reason);
  if (finishReasons.includes("interrupted")) throw interrupted();
  const read = { json: toJson(completion), id: completion.id, finishReasons, usage };
  return new CompletionAnswer(read, model.imageTokens, normalized);
}

/** Runs before the answer is charged, because JSON.stringify throws for deep nesting and for values such as a BigInt. */
function toJson(completion: NormalizedCompletion): string {
  try {
    return JSON.stringify(completion);
  } catch (cause) {
    throw new ProviderError("invalid_response", "The answer cannot be written as JSON.", { cause });
  }
}

/** What is read of every completion. */
type Read = Pick<ScannedCompletion, "id" | "finishReasons"> & Pick<ReadAnswer, "json" | "usage">;

/**
 * A completion for the client, and its output, which is charged if the usage is missing. One that goes on as the bytes that came
 * is parsed only if its value is needed.
 */
class CompletionAnswer implements ReadCompletion, Output {
  readonly json: string | Uint8Array;
  readonly usage: Usage | undefined;
  readonly answerId: string;
  readonly finishReasons: readonly string[];
  readonly #imageTokens: number;
  readonly #partialUsage: Normalized["partialUsage"];
  #completion: NormalizedCompletion | undefined;

  constructor({ json, usage, id, finishReasons }: Read, imageTokens: number, normalized?: Normalized) {
    this.json = json;
    this.usage = usage;
    this.answerId = id;
    this.finishReasons = finishReasons;
    this.#imageTokens = imageTokens;
    this.#partialUsage = normalized?.partialUsage;
    this.#completion = normalized?.completion;
  }

  get output(): Output {
    return this;
  }

  get completion(): NormalizedCompletion {
    this.#completion ??= parse(this.json);
    return this.#completion;
  }

  withUsage(charged: Usage): string {
    this.completion.usage = charged;
    return JSON.stringify(this.completion);
  }

  get hasHiddenReasoning(): boolean {
    return false;
  }

  get outputBytes(): number {
    return this.completion.choices.reduce((sum, { message }) => sum + outputBytes(message, this.#imageTokens), 0);
  }

  get reported(): ReportedUsage | undefined {
    const usage = this.#partialUsage;
    return usage && { usage, outputBytes: this.outputBytes };
  }

  outputText(): string {
    return this.completion.choices.map(({ message }) => outputText(message)).join("\n");
  }
}

const parse = (json: string | Uint8Array): NormalizedCompletion => JSON.parse(asText(json));
