import { alternate, type Rounds } from "../rounds.ts";
import { measurePairsOf } from "../stores/pairs.ts";
import { openArrangement, type ScalingName } from "./contenders.ts";

/** The work of an arrangement. */
export interface ScalingCost {
  /** Pairs of hold and settlement a second. */
  readonly pairs: number;
  /** Statements of PostgreSQL for each pair. */
  readonly statements: number;
}

/** The work of each arrangement, with all callers on one account, and spread over 1,000. */
export interface ScalingResults {
  readonly hotAccount: Rounds<ScalingName, ScalingCost>;
  readonly manyAccounts: Rounds<ScalingName, ScalingCost>;
}

/** The arrangements, in the order of the table. */
export const scalingNames: readonly ScalingName[] = ["one database", "two databases", "allowances on one database"];

const callers = 64;

/** Measures every arrangement in turn, each round in fresh databases. */
export async function measureScaling(rounds: number, seconds: number): Promise<ScalingResults> {
  const measure = (accounts: number) =>
    alternate(scalingNames, rounds, async (name): Promise<ScalingCost> => {
      const arrangement = await openArrangement[name]();
      try {
        let before = 0;
        const onWarm = () => {
          before = arrangement.statements();
        };
        const pairs = await measurePairsOf(arrangement, { callers, accounts, seconds, onWarm });
        return { pairs, statements: (arrangement.statements() - before) / (pairs * seconds) };
      } finally {
        await arrangement.close();
      }
    });
  return { hotAccount: await measure(1), manyAccounts: await measure(1_000) };
}
