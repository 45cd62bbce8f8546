import { inspect } from "node:util";
import type { IssuedKey } from "@tollgate/core/store";
import { expect } from "vitest";
import { type GatewayUnderTest, gatewayUnderTest, termsUnderTest } from "../../support/gateway-under-test.ts";
import { allEvents } from "../../support/read-stream.ts";
import { type Books, opening, readBooks } from "./books.ts";
import { CountedProvider, countedTokens, type Task } from "./counted-provider.ts";
import { planted } from "./faults.ts";
import type { Ports } from "./ports.ts";

/** How long a store may take, and how long a hold lives without a heartbeat, in milliseconds. */
export interface Times {
  readonly storeTimeoutMs: number;
  readonly leaseMs: number;
}

/** What happened in a cell. All but the first two and what expired must be zero in the end. */
export interface Figures extends Omit<Books, "charged"> {
  readonly served: number;
  readonly refused: number;
  /** Charges that the ledger did not take. */
  readonly lost: number;
  /** What was charged less what the provider is owed, in nano-units. */
  readonly drift: bigint;
}

/** What a client got of an answer. */
export interface Seen {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly text: string;
}

/** For stores that answer at once when there is no fault. */
export const quick: Times = { storeTimeoutMs: 250, leaseMs: 500 };

/** For stores in another process, on a machine that has more to do. */
export const patient: Times = { storeTimeoutMs: 3_000, leaseMs: 1_500 };

/** A gateway on ports that may fail, two accounts of its own with a key each, and clients that remember all they saw. */
export class Scene {
  readonly tested: GatewayUnderTest;
  readonly provider: CountedProvider;
  readonly accounts = [`early-${crypto.randomUUID()}`, `fresh-${crypto.randomUUID()}`] as const;
  /** The ports that the gateway calls, and the same without faults. */
  readonly ports: Ports;
  readonly #sound: Ports;
  readonly times: Times;
  readonly #seen: unknown[] = [];
  readonly #issued: IssuedKey[] = [];

  constructor(sound: Ports, ports: Ports, times: Times) {
    this.#sound = sound;
    this.times = times;
    this.ports = ports;
    const { keys, balances, limiter, terms: store } = ports;
    const { versions } = termsUnderTest();
    this.tested = gatewayUnderTest({
      keys,
      balances,
      limiter,
      terms: { store, versions },
      storeTimeoutMs: times.storeTimeoutMs,
      money: { leaseMs: times.leaseMs, heartbeatMs: times.leaseMs / 5, countTokens: () => countedTokens },
    });
    this.provider = new CountedProvider(this.tested.provider);
  }

  /** Puts money on both accounts and gives each a key; both accept the terms, or only the first. */
  async open({ freshAccepts = true } = {}): Promise<readonly [early: IssuedKey, fresh: IssuedKey]> {
    const [early, fresh] = this.accounts;
    await this.#sound.terms.accept(early, "terms-2");
    if (freshAccepts) await this.#sound.terms.accept(fresh, "terms-2");
    return [await this.#open(early), await this.#open(fresh)];
  }

  /** Asks for an answer in one piece. */
  async ask(secret: string, task: Task, init: RequestInit = {}): Promise<Seen> {
    return this.#note(await this.#send(secret, task, false, init));
  }

  /** Asks for a stream, and reads it to its end. */
  async stream(secret: string, task: Task): Promise<Seen> {
    return this.#note(await this.#send(secret, task, true));
  }

  /** Begins a stream, and gives what its client saw of it in the end. */
  async begin(secret: string, task: Task): Promise<{ readonly end: Promise<Seen> }> {
    const response = await this.#send(secret, task, true);
    return { end: this.#note(response) };
  }

  /** Asks for a stream and leaves once it has begun. */
  async leaveStream(secret: string): Promise<number> {
    const response = await this.#send(secret, "go on", true);
    if (response.status === 200) await response.body?.cancel();
    return response.status;
  }

  /** Asks for an answer in one piece and leaves before it comes. */
  async leaveAnswer(secret: string): Promise<void> {
    await this.#send(secret, "answer slowly", false, { signal: AbortSignal.timeout(10) });
  }

  /** What has happened so far, and what is wrong with the books. */
  async figures(): Promise<Figures> {
    const { charged, ...books } = await readBooks(this.#sound.balances, this.accounts);
    const count = (wanted: string) => this.tested.events.filter(({ type }) => type === wanted).length;
    const refused = count("request.refused");
    const served = count("request.completed");
    return { served, refused, ...books, lost: count("ledger.conflict"), drift: charged - this.provider.owed };
  }

  /** Fails unless all has come to rest and every account was charged what the provider is owed, no more and no less. */
  async expectRest(): Promise<void> {
    expect(this.tested.gateway.inFlight()).toBe(0);
    expect(await this.figures()).toMatchObject({ lost: 0, double: 0, stuck: 0, unsound: 0, drift: 0n });
    for (const { key } of this.#issued) await this.#expectPlaceFree(key.id);
  }

  /** Fails when an answer or an event shows a key, or what hangs on the errors of a client. */
  expectNoSecrets(): void {
    const shown = inspect([this.#seen, this.tested.events], { depth: 12, showHidden: true, maxStringLength: null });
    for (const secret of [planted, ...this.#issued.map(({ secret }) => secret)]) expect(shown).not.toContain(secret);
  }

  async #open(account: string): Promise<IssuedKey> {
    const { balances, keys } = this.#sound;
    await balances.credit({ id: crypto.randomUUID(), account, amount: opening, reason: "test" });
    const limits = { requests: { limit: 1_000 }, tokens: { limit: 1_000_000 }, concurrency: 50 };
    const issued = await keys.create({ account, plan: "prepaid", limits });
    this.#issued.push(issued);
    return issued;
  }

  async #send(secret: string, task: Task, stream: boolean, init: RequestInit = {}): Promise<Response> {
    const messages = [{ role: "user", content: task }];
    return this.tested.chat(secret, { messages, stream, max_tokens: 100 }, init);
  }

  async #note(response: Response): Promise<Seen> {
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
    const text = isStream ? (await allEvents(response)).join("\n") : await response.text();
    this.#seen.push([...response.headers], text);
    return { status: response.status, retryAfter: response.headers.get("retry-after"), text };
  }

  async #expectPlaceFree(subject: string): Promise<void> {
    const reservation = { id: crypto.randomUUID(), subject, leaseMs: this.times.leaseMs, concurrency: 1 };
    expect(await this.#sound.limiter.reserve(reservation)).toEqual({ granted: true });
    await this.#sound.limiter.settle(reservation, 0);
  }
}
