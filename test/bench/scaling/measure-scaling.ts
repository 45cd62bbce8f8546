import { OwnPostgres } from "../../support/own-postgres.ts";
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
export const scalingNames: readonly ScalingName[] = [
  "one database",
  "two databases",
  "four databases",
  "slices on one database",
];

const callers = 128;

/** Measures every arrangement in turn, each round in fresh databases on four servers of the bench's own. */
export async function measureScaling(rounds: number, seconds: number): Promise<ScalingResults> {
  const servers: OwnPostgres[] = [];
  try {
    while (servers.length < 4) servers.push(await OwnPostgres.start());
    const measure = (accounts: number) =>
      alternate(scalingNames, rounds, (name) => measureOne(name, servers, { callers, accounts, seconds }));
    return { hotAccount: await measure(1), manyAccounts: await measure(1_000) };
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

async function measureOne(
  name: ScalingName,
  servers: readonly OwnPostgres[],
  load: { readonly callers: number; readonly accounts: number; readonly seconds: number },
): Promise<ScalingCost> {
  const arrangement = await openArrangement[name](servers);
  try {
    let before = 0;
    const onWarm = () => {
      before = arrangement.statements();
    };
    const pairs = await measurePairsOf(arrangement, { ...load, onWarm });
    return { pairs, statements: (arrangement.statements() - before) / (pairs * load.seconds) };
  } finally {
    await arrangement.close();
  }
}
