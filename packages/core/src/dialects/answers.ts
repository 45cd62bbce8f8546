import type { ReadCompletion } from "../answering/json/read-completion.ts";
import type { ReadAnswer, StreamContext } from "../answering/model-api.ts";
import { noUsage } from "../money/cost.ts";
import type { Output } from "../money/token-counter.ts";
import type { PaidCall } from "../request/paid-call.ts";
import { guardOf, type KnownMembers } from "../upstream/answer-guard.ts";
import type { ChunkEncoder } from "../upstream/answer-translator.ts";
import type { NativeReader } from "../upstream/native-reader.ts";
import { NativeTranslator } from "../upstream/native-translator.ts";
import { StreamTranslator } from "../upstream/stream-translator.ts";
import type { JsonObject } from "../wire/json.ts";
import { writeLosslessJson } from "../wire/lossless-json.ts";
import type { NormalizedCompletion } from "../wire/normalize-completion.ts";
import { outputBytes, readOutput } from "../wire/output-text.ts";
import type { ReportedUsage, Usage } from "../wire/usage.ts";

/** Makes the translator of a stream of chunks, which `encoder` writes for the client. `id` is that of an answer that has none. */
export const chunkTranslator = (
  { model, exchange }: Pick<PaidCall, "model" | "exchange">,
  { target, failureContext }: StreamContext,
  id: string,
  encoder: ChunkEncoder,
): StreamTranslator =>
  new StreamTranslator({
    model: model.id,
    id,
    created: Math.floor(exchange.startedAt / 1000),
    imageTokens: model.imageTokens,
    failureContext,
    answers: target.provider.capabilities.answers,
    encoder,
  });

/** Makes the translator of a stream in the dialect of the client, whose answers have these members. */
export const nativeTranslator = (
  members: KnownMembers,
  paid: Pick<PaidCall, "model" | "call">,
  { target, failureContext, onUnknownEvent }: StreamContext,
  reader: NativeReader,
): NativeTranslator =>
  new NativeTranslator(reader, {
    failureContext,
    onUnknownEvent,
    guard: () => guardOf(members, paid, target, failureContext()),
  });

/** A completion as an answer of another dialect. */
export class TranslatedAnswer<Head> implements ReadAnswer {
  readonly usage: Usage | undefined;
  readonly output: Output;
  readonly answerId: string;
  readonly finishReasons: readonly string[];
  readonly json: string;
  readonly #completion: NormalizedCompletion;
  readonly #head: Head;
  readonly #translate: (completion: NormalizedCompletion, head: Head, usage: Usage) => object;

  /** `head` is what `translate` needs of the request. */
  constructor(
    { completion, usage, output, finishReasons }: ReadCompletion,
    answerId: string,
    head: Head,
    translate: (completion: NormalizedCompletion, head: Head, usage: Usage) => object,
  ) {
    this.usage = usage;
    this.output = output;
    this.answerId = answerId;
    this.finishReasons = finishReasons;
    this.#completion = completion;
    this.#head = head;
    this.#translate = translate;
    this.json = this.withUsage(usage ?? noUsage);
  }

  withUsage(charged: Usage): string {
    return writeLosslessJson(this.#translate(this.#completion, this.#head, charged));
  }
}

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
