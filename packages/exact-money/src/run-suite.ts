import { readBooks } from "./account.ts";
import { type Case, type Context, missingOf } from "./case.ts";
import { requireEqual } from "./check.ts";
import { clientOf } from "./client/client.ts";
import { type Ability, type Driver, disturbing, type Gateway, type World } from "./driver.ts";
import { models } from "./models.ts";
import { patienceOf } from "./patience.ts";
import { plans } from "./plans.ts";
import { type Provider, startProvider } from "./provider/provider.ts";

/** What came of one case. `missing` are the abilities that the gateway lacks. */
export type Outcome =
  | { readonly kind: "passed" }
  | { readonly kind: "failed"; readonly problem: string }
  | { readonly kind: "not applicable"; readonly missing: readonly Ability[] };

/** One case and what came of it. */
export interface CaseResult {
  readonly case: Case;
  readonly outcome: Outcome;
}

/** The outcome of every case with one driver, in the order of the cases. */
export interface SuiteResult {
  readonly driver: string;
  readonly results: readonly CaseResult[];
}

/** What to run. */
export interface SuiteOptions {
  readonly driver: Driver;
  readonly cases: readonly Case[];
  /** How long a case waits for what a gateway does in its own time, in milliseconds. Default: 20,000. */
  readonly patienceMs?: number;
  /** Called with each result as soon as it is known. */
  readonly onResult?: (result: CaseResult) => void;
}

const leases = { shared: 60_000, own: 2_000 } as const;
const atOnce = { shared: 6, own: 3 } as const;
const caseMs = 90_000;

/**
 * Runs cases with a driver: those that disturb nothing together on one gateway, and then each other one on a gateway of its own.
 * A case whose abilities the gateway lacks is not applicable. Rejects only where the gateway cannot be started at all.
 */
export async function runSuite(options: SuiteOptions): Promise<SuiteResult> {
  const { driver, cases } = options;
  const provider = await startProvider();
  try {
    const run = new SuiteRun(options, provider);
    await run.runShared();
    await run.runAlone();
    const notRun: Outcome = { kind: "failed", problem: "It was not run." };
    return {
      driver: driver.name,
      results: cases.map((each) => ({ case: each, outcome: run.outcomes.get(each) ?? notRun })),
    };
  } finally {
    await provider.stop();
  }
}

/** A case that has ended, and its ledgers at that moment. */
interface Ended {
  readonly outcome: Outcome;
  readonly ledgers: ReadonlyMap<string, string>;
}

class SuiteRun {
  readonly outcomes = new Map<Case, Outcome>();
  readonly #options: SuiteOptions;
  readonly #provider: Provider;
  #own: readonly Case[] = [];

  constructor(options: SuiteOptions, provider: Provider) {
    this.#options = options;
    this.#provider = provider;
  }

  /** Runs the cases that share a gateway, whose ledgers are read again when all have ended. */
  async runShared(): Promise<void> {
    const gateway = await this.#start(leases.shared, []);
    try {
      const applicable = this.#options.cases.filter((each) => this.#isApplicable(each, gateway));
      this.#own = applicable.filter(disturbs);
      const shared = applicable.filter((each) => !disturbs(each));
      const ended = new Map<Case, Ended>();
      await inParallel(shared, atOnce.shared, async (each) => ended.set(each, await this.#runOn(gateway, each)));
      for (const [each, end] of ended) this.#record(each, await audited(gateway, end));
    } finally {
      await gateway.stop();
    }
  }

  /** Runs each case that disturbs its gateway on one of its own. */
  runAlone(): Promise<void> {
    return inParallel(this.#own, atOnce.own, async (each) => this.#record(each, await this.#outcomeAlone(each)));
  }

  async #outcomeAlone(each: Case): Promise<Outcome> {
    let gateway: Gateway | undefined;
    try {
      gateway = await this.#start(leases.own, each.needs);
      return await audited(gateway, await this.#runOn(gateway, each));
    } catch (error) {
      return failed(error);
    } finally {
      await gateway?.stop();
    }
  }

  #start(leaseMs: number, needs: readonly Ability[]): Promise<Gateway> {
    const { url, apiKey } = this.#provider;
    const upstream = { url, apiKey };
    const world: World = { upstream, models: Object.values(models), plans, leaseMs, needs: new Set(needs) };
    return this.#options.driver.start(world);
  }

  #isApplicable(each: Case, { abilities }: Gateway): boolean {
    const missing = missingOf(abilities, each.needs);
    if (missing.length > 0) this.#record(each, { kind: "not applicable", missing });
    return missing.length === 0;
  }

  async #runOn(gateway: Gateway, each: Case): Promise<Ended> {
    const { patienceMs = 20_000 } = this.#options;
    const accounts: string[] = [];
    const client = clientOf(gateway);
    const context: Context = { gateway, provider: this.#provider, client, accounts, ...patienceOf(patienceMs) };
    try {
      await withTimeout(each.run(context));
      return { outcome: { kind: "passed" }, ledgers: await ledgersOf(gateway, accounts) };
    } catch (error) {
      return { outcome: failed(error), ledgers: new Map() };
    }
  }

  #record(each: Case, outcome: Outcome): void {
    this.outcomes.set(each, outcome);
    this.#options.onResult?.({ case: each, outcome });
  }
}

const disturbs = ({ needs }: Case): boolean => needs.some((need) => disturbing.has(need));

/** Fails a case that has passed, if the ledger of one of its accounts has changed since. */
async function audited(gateway: Gateway, { outcome, ledgers }: Ended): Promise<Outcome> {
  try {
    requireEqual([...(await ledgersOf(gateway, ledgers.keys()))], [...ledgers], "The ledger changed after the case");
    return outcome;
  } catch (error) {
    return failed(error);
  }
}

async function ledgersOf({ abilities }: Gateway, accounts: Iterable<string>): Promise<Map<string, string>> {
  const ledgers = new Map<string, string>();
  for (const account of accounts) {
    if (abilities.accounts === undefined) continue;
    const { charges, credited } = await readBooks(abilities.accounts, account);
    ledgers.set(account, `${credited} credited; charged ${charges.join(", ")}`);
  }
  return ledgers;
}

async function withTimeout(run: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`It did not end within ${caseMs / 1_000} s.`)), caseMs);
  });
  await Promise.race([run, timeout]).finally(() => clearTimeout(timer));
}

const failed = (error: unknown): Outcome => ({
  kind: "failed",
  problem: error instanceof Error ? error.message : String(error),
});

/** Calls the function for each item, a number of them at once. */
async function inParallel<Item>(
  items: readonly Item[],
  atMost: number,
  run: (item: Item) => Promise<unknown>,
): Promise<void> {
  const waiting = items.values();
  const work = async () => {
    for (const item of waiting) await run(item);
  };
  await Promise.all(Array.from({ length: atMost }, work));
}
