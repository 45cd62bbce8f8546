import { type ReadCompletion, readCompletion } from "../../../answering/json/read-completion.ts";
import type { ReadAnswer } from "../../../answering/model-api.ts";
import { noUsage } from "../../../money/cost.ts";
import type { Output } from "../../../money/token-counter.ts";
import type { ModelTarget } from "../../../ports/model.ts";
import type { ProviderAnswer } from "../../../ports/provider-adapter.ts";
import type { PaidCall } from "../../../request/paid-call.ts";
import { writeLosslessJson } from "../../../wire/lossless-json.ts";
import type { Usage } from "../../../wire/usage.ts";
import { toOutputItems } from "./output-items.ts";
import { endingOf, headOf, type ResponseHead, responseObject } from "./response-object.ts";

/** Reads a chat completion as a response. Throws a ProviderError if it is an error, or not a completion. */
export function readTranslated(paid: PaidCall, target: ModelTarget, answer: ProviderAnswer): ReadAnswer {
  return new TranslatedResponse(readCompletion(paid, target, answer), headOf(paid));
}

class TranslatedResponse implements ReadAnswer {
  readonly json: string;
  readonly #read: ReadCompletion;
  readonly #head: ResponseHead;

  constructor(read: ReadCompletion, head: ResponseHead) {
    this.#read = read;
    this.#head = head;
    this.json = this.withUsage(read.usage ?? noUsage);
  }

  get usage(): Usage | undefined {
    return this.#read.usage;
  }

  get answerId(): string {
    return this.#head.ids.response;
  }

  get finishReasons(): readonly string[] {
    return this.#read.finishReasons;
  }

  get output(): Output {
    return this.#read.output;
  }

  withUsage(charged: Usage): string {
    const [choice] = this.#read.completion.choices;
    const { status, incomplete } = endingOf(choice?.finish_reason);
    const { ids, echo } = this.#head;
    const output = choice === undefined ? [] : toOutputItems(choice.message, ids, echo.otherTools, status);
    const state = { status, output, usage: charged, ...(incomplete === undefined ? {} : { incomplete }) };
    return writeLosslessJson(responseObject(this.#head, state));
  }
}
