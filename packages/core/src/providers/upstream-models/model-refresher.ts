import type { ModelConfig } from "../../ports/model-config.ts";
import type { ProviderAdapter } from "../../ports/provider-adapter.ts";
import { after } from "../../runtime/timers.ts";
import { type Offer, type OfferedModels, offerModels } from "./offered-models.ts";
import { type ListSource, listUpstreamModels } from "./upstream-list.ts";

/** The options of a {@link ModelRefresher}, checked and with all defaults. */
interface RefresherOptions {
  readonly source: ListSource;
  readonly offer: Offer;
  readonly provider: ProviderAdapter;
  readonly initial: readonly ModelConfig[];
  readonly refreshMs: number;
  readonly onError: (error: Error) => void;
}

const firstRetryMs = 1_000;
/** A longer timer would fire at once. */
const maxTimerMs = 2 ** 31 - 1;

/** Keeps the last valid list of an upstream's models, and refreshes it periodically. */
export class ModelRefresher {
  models: readonly ModelConfig[];
  readonly #options: RefresherOptions;
  readonly #closing = new AbortController();
  #running: Promise<void> | undefined;
  #cancelTimer: () => void = () => undefined;
  #failures = 0;
  #reported = "";

  constructor(options: RefresherOptions) {
    this.#options = options;
    this.models = options.initial;
  }

  /** Starts the refreshes. Resolves or rejects with the first one. */
  start(): Promise<void> {
    const first = this.#refreshAndSchedule();
    // A caller that does not wait for it gets the error by `onError`.
    first.catch(() => undefined);
    return first;
  }

  /** Refreshes the list, or waits for the refresh that is running. */
  refresh(): Promise<void> {
    this.#running ??= this.#replace().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  close(): void {
    this.#cancelTimer();
    this.#closing.abort(new Error("The list of models was closed. Create a new one to refresh it."));
  }

  async #refreshAndSchedule(): Promise<void> {
    try {
      await this.refresh();
    } catch (cause) {
      this.#failures += 1;
      if (!this.#closing.signal.aborted) this.#report(cause instanceof Error ? cause : new Error(String(cause)));
      throw cause;
    } finally {
      if (!this.#closing.signal.aborted)
        this.#cancelTimer = after(this.#delay(), () => void this.#refreshAndSchedule().catch(() => undefined));
    }
  }

  /** Returns the delay of the next refresh, with jitter, and with a backoff while the upstream fails. */
  #delay(): number {
    const { refreshMs } = this.#options;
    const baseMs = this.#failures === 0 ? refreshMs : Math.min(refreshMs, firstRetryMs * 2 ** (this.#failures - 1));
    return Math.min(baseMs * (0.9 + Math.random() * 0.2), maxTimerMs);
  }

  async #replace(): Promise<void> {
    const { source, offer, provider } = this.#options;
    const entries = await listUpstreamModels(source, this.#closing.signal);
    this.#closing.signal.throwIfAborted();
    const offered = offerModels(entries, offer, provider);
    if (this.models === this.#options.initial || textOf(offered.models) !== textOf(this.models)) {
      this.models = offered.models;
    }
    this.#failures = 0;
    this.#reportLeftOut(offered);
  }

  #reportLeftOut(offered: OfferedModels): void {
    const leftOut = JSON.stringify([offered.unpriced, offered.unusable]);
    const error = leftOut === this.#reported ? undefined : describeLeftOut(offered);
    this.#reported = leftOut;
    if (error !== undefined) this.#report(error);
  }

  #report(error: Error): void {
    try {
      this.#options.onError(error);
    } catch {
      // An error of the listener must not end the refreshes.
    }
  }
}

/** The parts of a list that can change between two refreshes. The targets follow from the ids. */
const textOf = (models: readonly ModelConfig[]) => JSON.stringify(models.map(({ targets: _, ...rest }) => rest));

const maxNamed = 20;

/** Returns an Error that names the models that are left out, or undefined if there are none. */
function describeLeftOut({ unpriced, unusable }: OfferedModels): Error | undefined {
  const sentences = [...(unpriced.length === 0 ? [] : [describeUnpriced(unpriced)]), ...unusable.slice(0, maxNamed)];
  return sentences.length === 0 ? undefined : new Error(sentences.join("\n"));
}

function describeUnpriced(ids: readonly string[]): string {
  const named = ids.slice(0, maxNamed).map((id) => `"${id}"`);
  const more = ids.length > maxNamed ? ` and ${ids.length - maxNamed} more` : "";
  return `These models of the upstream have no price and are left out: ${named.join(", ")}${more}. Add them to \`prices\`, or list in \`allow\` the models that you offer.`;
}
