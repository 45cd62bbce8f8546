import type { Client } from "./client/client.ts";
import type { Abilities, Ability, Gateway } from "./driver.ts";
import type { Patience } from "./patience.ts";
import type { Provider } from "./provider/provider.ts";

/** What a case is run with. */
export interface Context extends Patience {
  readonly gateway: Gateway;
  readonly provider: Provider;
  readonly client: Client;
  /** Names the accounts of the case, whose ledgers are read again when all cases have ended. */
  readonly accounts: string[];
}

/** What a case is run with, and the abilities that it needs. */
export interface AbleContext<Need extends Ability> extends Context {
  readonly can: Pick<Abilities, Need>;
}

/** One case: a behavior of a gateway that either holds or does not. */
export interface Case {
  /** Unique, in kebab-case. */
  readonly id: string;
  readonly group: string;
  /** What must hold, in one sentence. */
  readonly says: string;
  /** The abilities without which it is not applicable. */
  readonly needs: readonly Ability[];
  /** Rejects with what differs from the sentence. */
  run(context: Context): Promise<void>;
}

/** A case as a file of cases writes it. `run` gets the abilities that it needs as `can`. */
export interface NewCase<Need extends Ability> {
  readonly id: string;
  readonly says: string;
  readonly needs: readonly Need[];
  run(context: AbleContext<Need>): Promise<void>;
}

/** Makes a case of a group. */
export function defineCase<Need extends Ability>(group: string, { id, says, needs, run }: NewCase<Need>): Case {
  return {
    id,
    group,
    says,
    needs,
    async run(context) {
      const { abilities } = context.gateway;
      if (!hasAll(abilities, needs)) throw new Error(`The gateway lacks ${missingOf(abilities, needs).join(" and ")}.`);
      await run({ ...context, can: abilities });
    },
  };
}

/** Returns the needed abilities that a gateway does not have. */
export const missingOf = (abilities: Partial<Abilities>, needs: readonly Ability[]): Ability[] =>
  needs.filter((need) => abilities[need] === undefined);

const hasAll = <Need extends Ability>(
  abilities: Partial<Abilities>,
  needs: readonly Need[],
): abilities is Partial<Abilities> & Pick<Abilities, Need> => missingOf(abilities, needs).length === 0;
