import type { EndResult, HoldRequest } from "@tollgate/core/store";
import type { QueuedCall, QueuedEnd, QueuedHold } from "./account-queues.ts";
import { isInvalidValue } from "./database-error.ts";
import type { HoldAnswer } from "./hold-answers.ts";
import type { AccountEnd, Holds } from "./holds.ts";
import { Packs } from "./packs.ts";

/**
 * Runs the batches of the account queues and settles the callers' promises. When the database is unavailable, every
 * call of the batch rejects, even if it took effect: each can be repeated with the same id. When the database rejects
 * the values of one call, the calls of the batch run one by one, so that the others succeed. An account with one call shares a
 * statement with other accounts while many calls run.
 */
export class BatchRunner {
  readonly #holds: Holds;
  readonly #packedHolds: Packs<HoldRequest, HoldAnswer>;
  readonly #packedEnds: Packs<AccountEnd, EndResult>;

  constructor(holds: Holds) {
    this.#holds = holds;
    this.#packedHolds = new Packs((requests) => holds.packHolds(requests));
    this.#packedEnds = new Packs((ends) => holds.packEnds(ends));
  }

  readonly run = async (account: string, batch: readonly QueuedCall[]): Promise<readonly QueuedCall[]> => {
    const [only, ...others] = batch;
    try {
      return only !== undefined && others.length === 0
        ? await this.#alone(account, only)
        : await this.#together(account, batch);
    } catch (cause) {
      if (others.length > 0 && isInvalidValue(cause)) return this.#oneByOne(account, batch);
      for (const call of batch) call.reject(cause);
      return [];
    }
  };

  async #alone(account: string, call: QueuedCall): Promise<readonly QueuedCall[]> {
    if (call.verb === "end") {
      call.resolve(await this.#packedEnds.run({ ...call.end, account }, () => this.#holds.end(account, call.end)));
      return [];
    }
    const { request } = call;
    const alone = () => this.#holds.hold(request);
    const result = this.#holds.canPackHold(request) ? await this.#packedHolds.run(request, alone) : await alone();
    if (result === undefined) return [call];
    call.resolve(result);
    return [];
  }

  async #together(account: string, batch: readonly QueuedCall[]): Promise<readonly QueuedCall[]> {
    const ends = endsOf(batch);
    const holds = holdsOf(batch);
    const results = await this.#holds.batch(
      account,
      ends.map(({ end }) => end),
      holds.map(({ request }) => request),
    );
    for (const call of ends) call.resolve(results.ends.get(call.id) ?? (await this.#holds.end(account, call.end)));
    const left = holds.filter((call) => {
      const result = results.holds.get(call.id);
      if (result !== undefined) call.resolve(result);
      return result === undefined;
    });
    return results.unprepared ? this.#oneByOne(account, left) : left;
  }

  async #oneByOne(account: string, batch: readonly QueuedCall[]): Promise<readonly QueuedCall[]> {
    const retries: QueuedCall[] = [];
    for (const call of [...endsOf(batch), ...holdsOf(batch)]) retries.push(...(await this.run(account, [call])));
    return retries;
  }
}

const endsOf = (batch: readonly QueuedCall[]): QueuedEnd[] => batch.filter((call) => call.verb === "end");

const holdsOf = (batch: readonly QueuedCall[]): QueuedHold[] => batch.filter((call) => call.verb === "hold");
