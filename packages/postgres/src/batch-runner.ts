import type { EndTurn, HoldTurn, Turn } from "./account-queues.ts";
import { isRefusedContent } from "./database-error.ts";
import type { Holds } from "./holds.ts";

/**
 * Runs the batches of the account queues and tells the callers. When the database cannot be reached, every caller of
 * the batch is told, whatever may have been done for it: all of it can be asked again by id. When the database
 * refuses what one caller gave, the batch is done one by one, so that the others do not suffer.
 */
export class BatchRunner {
  readonly #holds: Holds;

  constructor(holds: Holds) {
    this.#holds = holds;
  }

  readonly run = async (account: string, batch: readonly Turn[]): Promise<readonly Turn[]> => {
    const [only, ...others] = batch;
    try {
      return only !== undefined && others.length === 0 ? await this.#alone(only) : await this.#together(account, batch);
    } catch (cause) {
      if (others.length > 0 && isRefusedContent(cause)) return this.#oneByOne(account, batch);
      for (const turn of batch) turn.reject(cause);
      return [];
    }
  };

  async #alone(turn: Turn): Promise<readonly Turn[]> {
    if (turn.verb === "end") {
      turn.resolve(await this.#holds.end(turn.end));
      return [];
    }
    const answer = await this.#holds.hold(turn.request);
    if (answer === undefined) return [turn];
    turn.resolve(answer);
    return [];
  }

  async #together(account: string, batch: readonly Turn[]): Promise<readonly Turn[]> {
    const ends = endsOf(batch);
    const holds = holdsOf(batch);
    const answers = await this.#holds.batch(
      account,
      ends.map(({ end }) => end),
      holds.map(({ request }) => request),
    );
    for (const turn of ends) turn.resolve(answers.ends.get(turn.id) ?? (await this.#holds.end(turn.end)));
    return holds.filter((turn) => {
      const answer = answers.holds.get(turn.id);
      if (answer !== undefined) turn.resolve(answer);
      return answer === undefined;
    });
  }

  async #oneByOne(account: string, batch: readonly Turn[]): Promise<readonly Turn[]> {
    const again: Turn[] = [];
    for (const turn of [...endsOf(batch), ...holdsOf(batch)]) again.push(...(await this.run(account, [turn])));
    return again;
  }
}

const endsOf = (batch: readonly Turn[]): EndTurn[] => batch.filter((turn) => turn.verb === "end");

const holdsOf = (batch: readonly Turn[]): HoldTurn[] => batch.filter((turn) => turn.verb === "hold");
