import { inspect } from "node:util";
import type { IssuedKey } from "@tollgate/core/store";
import { expect } from "vitest";
import { type GatewayUnderTest, gatewayUnderTest, termsUnderTest } from "../../support/gateway-under-test.ts";
import { allEvents } from "../../support/read-stream.ts";
import { type Books, opening, readBooks } from "./books.ts";
import { CountedProvider, countedTokens, type Task } from "./counted-provider.ts";
import { seededSecret } from "./faults.ts";
import type { Ports } from "./ports.ts";

/** The store timeout and the lease of a hold, in milliseconds. */
export interface Times {
  readonly storeTimeoutMs: number;
  readonly leaseMs: number;
}

/** The figures of a cell. All except `served`, `refused`, `expired` and `late` must be zero at the end. */
export interface Figures extends Omit<Books, "charged"> {
  readonly served: number;
  readonly refused: number;
  /** Charges that the ledger rejected. */
  readonly lost: number;
  /** The difference between the actual and the expected charges, in nano-units. */
  readonly drift: bigint;
}

/** A response as a client received it. */
export interface Seen {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly text: string;
}

/** For stores that return immediately without a fault. */
export const quick: Times = { storeTimeoutMs: 250, leaseMs: 500 };

/** For stores in another process on a busy machine. */
export const patient: Times = { storeTimeoutMs: 3_000, leaseMs: 1_500 };

/** A gateway on ports that can fail, two accounts with a key each, and clients that record every response. */
export class Scene {
  readonly tested: GatewayUnderTest;
  readonly provider: CountedProvider;
  readonly accounts = [`early-${crypto.randomUUID()}`, `fresh-${crypto.randomUUID()}`] as const;
  /** The ports that the gateway calls. */
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

  /** Credits both accounts and creates a key for each. Both accept the terms, or only the first. */
  async open({ freshAccepts = true } = {}): Promise<readonly [early: IssuedKey, fresh: IssuedKey]> {
    const [early, fresh] = this.accounts;
    await this.#sound.terms.accept(early, "terms-2");
    if (freshAccepts) await this.#sound.terms.accept(fresh, "terms-2");
    return [await this.#open(early), await this.#open(fresh)];
  }

  /** Requests a complete answer. */
  async ask(secret: string, task: Task, init: RequestInit = {}): Promise<Seen> {
    return this.#note(await this.#send(secret, task, false, init));
  }

  /** Requests a stream and reads it to its end. */
  async stream(secret: string, task: Task): Promise<Seen> {
    return this.#note(await this.#send(secret, task, true));
  }

  /** Begins a stream. `end` resolves with the complete response. */
  async begin(secret: string, task: Task): Promise<{ readonly end: Promise<Seen> }> {
    const response = await this.#send(secret, task, true);
    return { end: this.#note(response) };
  }

  /** Requests a stream and disconnects once it has begun. */
  async leaveStream(secret: string): Promise<number> {
    const response = await this.#send(secret, "go on", true);
    if (response.status === 200) await response.body?.cancel();
    return response.status;
  }

  /** Requests a complete answer and disconnects before it arrives. */
  async leaveAnswer(secret: string): Promise<void> {
    await this.#send(secret, "answer slowly", false, { signal: AbortSignal.timeout(10) });
  }

  /** Returns the figures so far. */
  async figures(): Promise<Figures> {
    const { charged, ...books } = await readBooks(this.#sound.balances, this.accounts);
    const count = (counted: string) => this.tested.events.filter(({ type }) => type === counted).length;
    const refused = count("request.refused");
    const served = count("request.completed");
    return { served, refused, ...books, lost: count("ledger.conflict"), drift: charged - this.provider.owed };
  }

  /** Fails unless every request has ended and the charges are exactly as expected. */
  async expectRest(): Promise<void> {
    expect(this.tested.gateway.inFlight()).toBe(0);
    expect(await this.figures()).toMatchObject({ lost: 0, double: 0, stuck: 0, unsound: 0, drift: 0n });
    for (const { key } of this.#issued) await this.#expectPlaceFree(key.id);
  }

  /** Fails when a response or an event contains a key or the secret of a client's errors. */
  expectNoSecrets(): void {
    const shown = inspect([this.#seen, this.tested.events], { depth: 12, showHidden: true, maxStringLength: null });
    for (const secret of [seededSecret, ...this.#issued.map(({ secret }) => secret)])
      expect(shown).not.toContain(secret);
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
