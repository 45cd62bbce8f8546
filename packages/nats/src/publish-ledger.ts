import { formatAmount } from "@tollgate/core";
import { requireKnown, requireMethods, shielded } from "@tollgate/core/internal";
import { checkedWholeNumber, type Entry, type EntryFeed } from "@tollgate/core/store";
import type { JetStreamPublisher } from "./client.ts";
import type { PublishedPosition } from "./position.ts";

/** The options of {@link publishLedger}. */
export interface PublishLedgerOptions {
  /** `postgresEntryFeed(pool)` or `sqliteEntryFeed(database)`. */
  readonly feed: EntryFeed;
  /** `jetstream(connection)` of `@nats-io/jetstream`. A stream must have the subjects. */
  readonly jetstream: JetStreamPublisher;
  /** What was published before. Without a saved one, the whole ledger is published. */
  readonly position: PublishedPosition;
  /**
   * The name of the ledger, the same for ever, by which its entries differ from those of other ledgers in the stream. The default
   * is "tollgate".
   */
  readonly ledger?: string;
  /** The subject, to which the kind of the entry is added: "tollgate.entries.charge". The default is "tollgate.entries". */
  readonly subject?: string;
  /** How long to wait for new entries, in milliseconds, before the ledger is asked again. The default is 250. */
  readonly pollMs?: number;
  /** Receives an event for each failure. Errors that it throws are ignored. */
  readonly observer?: (event: LedgerDelayedEvent) => void;
}

/** The ledger could not be read or published. It is tried again after a pause of up to 5 s, and nothing is lost. */
export interface LedgerDelayedEvent {
  readonly type: "ledger.delayed";
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly cause: unknown;
}

/** A ledger that is being published. */
export interface PublishedLedger {
  /** The sequence number up to which all entries are published and the position is saved. */
  readonly position: bigint;
  /** Ends after the entries that are on their way. Leaves the clients open. */
  close(): Promise<void>;
}

const pageSize = 500;
const firstPauseMs = 50;
const longestPauseMs = 5_000;

/**
 * Publishes the entries of a ledger to NATS JetStream, each at least once, until it is closed. It saves its position after the server
 * has stored a page. What is published again after a crash has the same `Nats-Msg-Id`, so that the stream drops it within its
 * `duplicate_window`; consumers skip later repetitions by the `id` of the message. Let one process of the host publish: several
 * repeat each other's work, and lose nothing.
 */
export function publishLedger(options: PublishLedgerOptions): PublishedLedger {
  requireKnown("publishLedger", options, knownOptions);
  requireMethods(
    "publishLedger",
    options.feed,
    ["read"],
    "Pass postgresEntryFeed(pool) or sqliteEntryFeed(database) as `feed`.",
  );
  requireMethods("publishLedger", options.jetstream, ["publish"], "Pass jetstream(connection) as `jetstream`.");
  requireMethods("publishLedger", options.position, ["load", "save"], "Pass positionInBucket(bucket) as `position`.");
  const { ledger = "tollgate", subject = "tollgate.entries", pollMs = 250 } = options;
  if (!/^[\w-]+$/.test(ledger))
    throw new RangeError("`ledger` must have letters, digits, underscores and hyphens only.");
  if (!/^[^\s.*>]+(?:\.[^\s.*>]+)*$/.test(subject))
    throw new RangeError("`subject` must be a subject of NATS without wildcards, such as tollgate.entries.");
  checkedWholeNumber("`pollMs`", pollMs, 1);
  return new LedgerPublisher({ ...options, ledger, subject, pollMs });
}

const knownOptions = {
  feed: true,
  jetstream: true,
  position: true,
  ledger: true,
  subject: true,
  pollMs: true,
  observer: true,
} as const;

type CheckedOptions = PublishLedgerOptions & Required<Pick<PublishLedgerOptions, "ledger" | "subject" | "pollMs">>;

class LedgerPublisher implements PublishedLedger {
  readonly #options: CheckedOptions;
  readonly #observe: (event: LedgerDelayedEvent) => void;
  readonly #ended: Promise<void>;
  #position: bigint | undefined;
  #closed = false;
  #wake: () => void = () => undefined;

  constructor(options: CheckedOptions) {
    this.#options = options;
    this.#observe = shielded(options.observer ?? (() => undefined));
    this.#ended = this.#run();
  }

  get position(): bigint {
    return this.#position ?? 0n;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#wake();
    await this.#ended;
  }

  async #run(): Promise<void> {
    for (let pauseMs = firstPauseMs; !this.#closed; ) {
      try {
        const published = await this.#publishPage();
        pauseMs = firstPauseMs;
        if (published === 0) await this.#pause(this.#options.pollMs);
      } catch (cause) {
        this.#observe({ type: "ledger.delayed", at: Date.now(), cause });
        await this.#pause(pauseMs);
        pauseMs = Math.min(2 * pauseMs, longestPauseMs);
      }
    }
  }

  /** Returns the number of entries. */
  async #publishPage(): Promise<number> {
    const { feed, position } = this.#options;
    this.#position ??= (await position.load()) ?? 0n;
    const entries = await feed.read({ after: this.#position, limit: pageSize });
    const last = entries.at(-1);
    if (last === undefined) return 0;
    const answers = await Promise.allSettled(entries.map((entry) => this.#publish(entry)));
    const failure = answers.find(({ status }) => status === "rejected");
    if (failure?.status === "rejected") throw failure.reason;
    await position.save(last.sequence);
    this.#position = last.sequence;
    return entries.length;
  }

  #publish(entry: Entry): Promise<unknown> {
    const { jetstream, ledger, subject } = this.#options;
    const id = `${ledger}-${entry.sequence}`;
    return jetstream.publish(`${subject}.${entry.kind}`, toMessage(id, entry), { msgID: id });
  }

  #pause(milliseconds: number): Promise<void> {
    if (this.#closed) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** Writes an entry as JSON: amounts and prices as decimal strings, the sequence number as text. */
function toMessage(id: string, { sequence, ...entry }: Entry): string {
  return JSON.stringify({ id, sequence: String(sequence), ...entry }, (_name, value: unknown) =>
    typeof value === "bigint" ? formatAmount(value) : value,
  );
}
