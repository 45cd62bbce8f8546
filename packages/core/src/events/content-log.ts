import * as v from "valibot";
import { describeError } from "../errors/describe-error.ts";
import { functionValue, port, wholeNumber } from "../options/leaves.ts";
import { optionMembers } from "../options/members.ts";
import type { ContentStore, RequestContentRecord } from "../ports/content-store.ts";
import type { Observer } from "../ports/observer.ts";
import { after, withinTime } from "../runtime/timers.ts";
import { decodeUtf8 } from "../wire/bytes.ts";
import type { Json } from "../wire/json.ts";

/** The content of a request before it is parsed. Both texts are absent if they are too large. */
export interface RawContent extends Omit<RequestContentRecord, "request" | "response"> {
  /** The body of the request, as JSON in UTF-8. */
  readonly request: Uint8Array | undefined;
  /** The answer as JSON text, or the frames of a stream and how they are merged; undefined if there is nothing to merge. */
  readonly response:
    | string
    | { readonly frames: Uint8Array; merge(frames: Uint8Array): object | undefined }
    | undefined;
  /** Where its bytes are counted until it is stored or lost. */
  readonly share: { release(): void };
}

const flushMs = 1_000;
const batchSize = 100;
const retryMs = 5_000;
const dayMs = 86_400_000;
const pruneEveryMs = dayMs / 24;

/**
 * Stores the content of requests in the background, in batches. No request waits for it, and what waits is lost when the
 * process ends.
 */
export class ContentLog {
  readonly maxBytes: number;
  readonly #options: ContentOptions;
  readonly #observe: Observer;
  readonly #storeTimeoutMs: number;
  readonly #waiting: RawContent[] = [];
  #flushing: Promise<void> | undefined;
  #isScheduled = false;
  #prunedAt = 0;

  constructor(options: ContentOptions, observe: Observer, storeTimeoutMs: number) {
    this.#options = options;
    this.#observe = observe;
    this.#storeTimeoutMs = storeTimeoutMs;
    this.maxBytes = options.maxBytes ?? 1_048_576;
  }

  /** Adds the content of a finished request. */
  add(content: RawContent): void {
    this.#waiting.push(content);
    this.#schedule(flushMs);
  }

  /** Reports that the content of a request is not stored. */
  lose(): void {
    this.#observe({ type: "content.lost", at: Date.now(), requests: 1 });
  }

  /** Stores what waits. Resolves when it is stored or has failed once. */
  async flush(): Promise<void> {
    this.#flushing ??= this.#store().finally(() => {
      this.#flushing = undefined;
    });
    await this.#flushing;
  }

  #schedule(milliseconds: number): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    after(milliseconds, () => {
      this.#isScheduled = false;
      void this.flush();
    });
  }

  async #store(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, batchSize);
      const records = batch.flatMap((content) => this.#redacted(content));
      try {
        await this.#ask(this.#options.store.record(records));
        await this.#prune();
      } catch (failure) {
        const cause = describeError(failure);
        this.#observe({ type: "content.delayed", at: Date.now(), waiting: this.#waiting.length, cause });
        this.#schedule(retryMs);
        return;
      }
      this.#waiting.splice(0, batch.length);
      for (const { share } of batch) share.release();
    }
  }

  async #prune(): Promise<void> {
    const now = Date.now();
    if (now - this.#prunedAt < pruneEveryMs) return;
    this.#prunedAt = now;
    await this.#ask(this.#options.store.prune(new Date(now - (this.#options.retentionDays ?? 30) * dayMs)));
  }

  #ask<T>(answer: T | PromiseLike<T>): Promise<T> {
    return withinTime(Promise.resolve(answer), this.#storeTimeoutMs);
  }

  #redacted(content: RawContent): RequestContentRecord[] {
    try {
      const record = parse(content);
      const redacted = this.#options.redact === undefined ? record : this.#options.redact(record);
      // A store refuses a record with another id or time, and would block all later ones.
      return redacted === undefined ? [] : [{ ...redacted, id: record.id, at: record.at }];
    } catch {
      // Content that the host's function cannot redact must not be stored.
      this.lose();
      return [];
    }
  }
}

function parse({ request, response, share: _, ...rest }: RawContent): RequestContentRecord {
  const asked: Json | undefined = request && JSON.parse(decodeUtf8(request) ?? "null");
  const answered = typeof response === "string" ? JSON.parse(response) : response?.merge(response.frames);
  return {
    ...rest,
    ...(asked === undefined ? {} : { request: asked }),
    ...(answered === undefined ? {} : { response: answered }),
  };
}

/**
 * Where the content of requests is stored. Only requests of models and keys with `logContent` are; no other option stores
 * prompts or answers.
 */
export interface ContentOptions {
  readonly store: ContentStore;
  /** Returns what may be stored of a record; undefined: nothing. If it throws, nothing is stored. */
  readonly redact?: (record: RequestContentRecord) => RequestContentRecord | undefined;
  /** The most bytes of a request, and of an answer, that are stored; a larger one is left out. Default: 1,048,576. */
  readonly maxBytes?: number;
  /** Days after which content is removed. Default: 30. */
  readonly retentionDays?: number;
}

/** The schema of {@link ContentOptions}. */
export const contentSchema = optionMembers("the option `content`", {
  store: port<ContentStore>(
    "a ContentStore",
    ["record", "find", "prune"],
    "memoryContentStore(), or fileContentStore() of @tollgate/node",
  ),
  redact: v.exactOptional(
    functionValue<NonNullable<ContentOptions["redact"]>>("Give (record) => record, or leave it out."),
  ),
  maxBytes: v.exactOptional(wholeNumber()),
  retentionDays: v.exactOptional(wholeNumber()),
});
