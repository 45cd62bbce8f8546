import type { ModelConfig } from "../../ports/model-config.ts";
import type { ProviderAdapter } from "../../ports/provider-adapter.ts";
import { after } from "../../runtime/timers.ts";
import { tellLeftOut } from "./left-out.ts";
import { type Offer, type OfferedModels, offerModels } from "./offered-models.ts";
import { type ListSource, listUpstreamModels } from "./upstream-list.ts";

/** What a {@link ModelRefresher} works with, checked and with nothing left to default. */
export interface RefresherOptions {
  readonly source: ListSource;
  readonly offer: Offer;
  readonly provider: ProviderAdapter;
  readonly initial: readonly ModelConfig[];
  readonly refreshMs: number;
  readonly onError: (error: Error) => void;
}

const firstRetryMs = 1_000;
/** A timer of more would fire at once. */
const longestTimerMs = 2 ** 31 - 1;

/** Keeps the last good list of an upstream's models, and looks for a newer one from time to time. */
export class ModelRefresher {
  models: readonly ModelConfig[];
  readonly #options: RefresherOptions;
  readonly #leaving = new AbortController();
  #running: Promise<void> | undefined;
  #forget: () => void = () => undefined;
  #failures = 0;
  #told = "";

  constructor(options: RefresherOptions) {
    this.#options = options;
    this.models = options.initial;
  }

  /** Begins to look, and settles with the first look. */
  start(): Promise<void> {
    const first = this.#look();
    // Whoever does not wait for it has `onError`.
    first.catch(() => undefined);
    return first;
  }

  /** Looks, or waits for the look that is under way. */
  refresh(): Promise<void> {
    this.#running ??= this.#replace().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  close(): void {
    this.#forget();
    this.#leaving.abort(new Error("The list of models was closed. Make a new one to look again."));
  }

  async #look(): Promise<void> {
    try {
      await this.refresh();
    } catch (cause) {
      this.#failures += 1;
      if (!this.#leaving.signal.aborted) this.#tell(cause instanceof Error ? cause : new Error(String(cause)));
      throw cause;
    } finally {
      if (!this.#leaving.signal.aborted) this.#forget = after(this.#pause(), () => this.#lookAgain());
    }
  }

  #lookAgain(): void {
    this.#look().catch(() => undefined);
  }

  /** Processes that started together drift apart, and an upstream that is down is asked less and less often. */
  #pause(): number {
    const { refreshMs } = this.#options;
    const wanted = this.#failures === 0 ? refreshMs : Math.min(refreshMs, firstRetryMs * 2 ** (this.#failures - 1));
    return Math.min(wanted * (0.9 + Math.random() * 0.2), longestTimerMs);
  }

  async #replace(): Promise<void> {
    const { source, offer, provider } = this.#options;
    const entries = await listUpstreamModels(source, this.#leaving.signal);
    this.#leaving.signal.throwIfAborted();
    const offered = offerModels(entries, offer, provider);
    if (this.models === this.#options.initial || textOf(offered.models) !== textOf(this.models)) {
      this.models = offered.models;
    }
    this.#failures = 0;
    this.#tellLeftOut(offered);
  }

  #tellLeftOut(offered: OfferedModels): void {
    const leftOut = JSON.stringify([offered.unpriced, offered.unusable]);
    const told = leftOut === this.#told ? undefined : tellLeftOut(offered);
    this.#told = leftOut;
    if (told !== undefined) this.#tell(told);
  }

  #tell(error: Error): void {
    try {
      this.#options.onError(error);
    } catch {
      // A listener's fault is its own, and must not end the looking.
    }
  }
}

/** All of a list that can differ from one look to the next; the targets follow from the id. */
const textOf = (models: readonly ModelConfig[]) => JSON.stringify(models.map(({ targets: _, ...rest }) => rest));
