import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Customer } from "../scene.ts";
import { sendCall } from "./send-call.ts";
import type { SoakCall, SoakRecord } from "./soak-call.ts";

/** A process that serves requests at a port. */
interface Serving {
  readonly name: string;
  readonly port: number;
}

/** Clients over real sockets, with a record of each request. */
export class Load {
  readonly records: SoakRecord[] = [];
  readonly #agent = new Agent({ keepAlive: true });
  readonly #running = new Set<Promise<unknown>>();
  #sent = 0;

  /** `serving` returns the processes to which requests go in turn. */
  constructor(
    private readonly serving: () => readonly Serving[],
    private readonly customers: readonly Customer[],
  ) {}

  /** Returns the requests per second that so many clients get, each of which sends another one after every answer. */
  async measure(next: () => SoakCall, clients: number, seconds: number): Promise<number> {
    const before = this.records.length;
    const endsAt = performance.now() + seconds * 1_000;
    const ask = async () => {
      while (performance.now() < endsAt) await this.#send(next());
    };
    await Promise.all(Array.from({ length: clients }, ask));
    return (this.records.length - before) / seconds;
  }

  /** Sends requests at a rate per second until the signal aborts, however long their answers take. */
  async runAt(rate: number, next: () => SoakCall, end: AbortSignal): Promise<void> {
    const beginsAt = performance.now();
    for (let count = 0; !end.aborted; count++) {
      const dueAt = beginsAt + (count * 1_000) / rate;
      if (dueAt > performance.now()) await sleep(dueAt - performance.now());
      const answer = this.#send(next());
      this.#running.add(answer);
      void answer.finally(() => this.#running.delete(answer));
    }
  }

  /** Waits for every answer, and closes all sockets. */
  async end(): Promise<void> {
    await Promise.all(this.#running);
    this.#agent.destroy();
  }

  async #send(call: SoakCall): Promise<void> {
    this.#sent += 1;
    const serving = this.serving();
    const gateway = serving[this.#sent % serving.length];
    const customer = this.customers[this.#sent % this.customers.length];
    if (gateway === undefined || customer === undefined) throw new Error("There is no gateway or no customer.");
    const { account, secret } = customer;
    const { outcome, bodyBytes } = await sendCall(call, { agent: this.#agent, port: gateway.port, secret });
    this.records.push({ call, outcome, account, gateway: gateway.name, bodyBytes, endedAt: Date.now() });
  }
}
