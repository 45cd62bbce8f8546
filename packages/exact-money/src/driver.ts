import type { SuiteModel } from "./models.ts";
import type { Payments } from "./payments.ts";

/** Starts one gateway for the suite. A driver is one file, the default export of which is this. */
export interface Driver {
  readonly name: string;
  /** Throws an error that says what is missing and how to get it, where the gateway cannot be had. */
  start(world: World): Promise<Gateway>;
}

/** What a gateway is started with. */
export interface World {
  /** The stand-in of the provider: an OpenAI-compatible API at `<url>`, which ends in `/v1`, and the Messages API there too. */
  readonly upstream: { readonly url: string; readonly apiKey: string };
  readonly models: readonly SuiteModel[];
  readonly plans: readonly SuitePlan[];
  /** How long a gateway with leases keeps what a killed process has held, in milliseconds. */
  readonly leaseMs: number;
  /** What the case needs, so that a driver prepares something costly, such as a second database, only for the cases that use it. */
  readonly needs: ReadonlySet<Ability>;
}

/** A group of keys. */
export interface SuitePlan {
  readonly id: string;
  /** The most that each account of the plan may spend in total, in nano-units. Absent: what it has. */
  readonly spend?: bigint;
}

/** A running gateway. */
export interface Gateway {
  /** The base URL of its APIs, without a slash at the end: clients post to `<url>/chat/completions`, `<url>/messages` and so on. */
  readonly url: string;
  /** Headers that every request of a client has. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What it can do. An absent member makes the cases that need it not applicable. */
  readonly abilities: Partial<Abilities>;
  /** Stops it and removes its data. It may have been killed, paused or cut off from its store. */
  stop(): Promise<void>;
}

/** A key to create. */
export interface NewKey {
  readonly account: string;
  /** Default: "standard", which limits nothing. */
  readonly plan?: string;
  /** The most that the key may spend in total, in nano-units. Only with the ability `keyLimits`. */
  readonly spend?: bigint;
  /** Public ids of the models that `spend` is of. Absent: all. Only with the ability `modelLimits`. */
  readonly spendModels?: readonly string[];
}

/** A key. `id` is what the gateway calls it, and `secret` what clients send. */
export interface Key {
  readonly id: string;
  readonly secret: string;
}

/** A balance in nano-units. `held` is reserved for running requests: 0 in a gateway without reservations. */
export interface Balance {
  readonly posted: bigint;
  readonly held: bigint;
}

/** One line of a ledger. `amount` is in nano-units, and negative where the account paid. */
export interface Entry {
  readonly kind: "credit" | "charge" | "other";
  readonly amount: bigint;
  /** What it is for: equal for all lines of one request, or the id of one credit. */
  readonly reference: string;
}

/** Accounts with a prepaid balance or budget, keys of them, and a ledger that can be read. */
export interface Accounts {
  createKey(wanted: NewKey): Promise<Key>;
  /** Adds nano-units once for each `id`. Resolves when the gateway has acknowledged it. */
  credit(credit: { readonly account: string; readonly amount: bigint; readonly id: string }): Promise<void>;
  balance(account: string): Promise<Balance>;
  /** All lines of an account, in any order. */
  entries(account: string): Promise<readonly Entry[]>;
}

/** Keys that end while they are used. */
export interface KeyChanges {
  revoke(keyId: string): Promise<void>;
  /** Returns a new key that takes the place of the old one at once, and has its limits and what was spent of them. */
  rotate(keyId: string): Promise<Key>;
}

/** What a gateway can do besides forwarding calls. `true` is a feature that needs no call of the driver. */
export interface Abilities {
  readonly accounts: Accounts;
  readonly keyLimits: true;
  readonly modelLimits: true;
  readonly planLimits: true;
  /** Sets the most that an account may spend in total. */
  readonly limitAccount: (account: string, amount: bigint) => Promise<void>;
  readonly cachePrices: true;
  readonly tiers: true;
  readonly requestPrice: true;
  readonly messages: true;
  readonly responses: true;
  readonly embeddings: true;
  /** `POST messages/count_tokens`. */
  readonly countTokens: true;
  /** Keeps responses, which can be read by their ids and continued. */
  readonly storedResponses: true;
  /** Sells credit, with notifications of a payment provider. */
  readonly payments: Payments;
  readonly keyChanges: KeyChanges;
  readonly freezing: {
    freeze(account: string): Promise<void>;
    thaw(account: string): Promise<void>;
  };
  /** Kills the process with SIGKILL, and starts it again on the same data. Resolves when it answers at the same URL. */
  readonly killAndRestart: () => Promise<void>;
  /** Stops the process as SIGSTOP does, and lets it go on. */
  readonly pausing: { pause(): Promise<void>; resume(): Promise<void> };
  /** Takes the store away from the gateway, as an outage does, and gives it back. */
  readonly storeOutage: { begin(): Promise<void>; end(): Promise<void> };
  /** Moves the clock of the gateway's process by milliseconds, which may be negative. */
  readonly stepClock: (milliseconds: number) => Promise<void>;
  /** Kills the database and promotes its standby. Resolves when the gateway may use it. */
  readonly failover: () => Promise<void>;
  /** Starts another process on the same data, and returns its base URL. `stop` ends it too. */
  readonly secondProcess: () => Promise<string>;
}

/** The name of an ability. */
export type Ability = keyof Abilities;

/** What a gateway lacks without an ability, as the table of results says it. */
export const features: Readonly<Record<Ability, string>> = {
  accounts: "prepaid accounts with a ledger",
  keyLimits: "spend limits of keys",
  modelLimits: "spend limits of models",
  planLimits: "spend limits of plans",
  limitAccount: "spend limits of accounts",
  cachePrices: "prices of cached tokens",
  tiers: "prices by the length of the prompt",
  requestPrice: "prices of requests",
  messages: "Messages API",
  responses: "Responses API",
  embeddings: "embeddings API",
  countTokens: "counting of tokens",
  storedResponses: "stored responses",
  payments: "payments",
  keyChanges: "revocation and rotation of keys",
  freezing: "freezing of accounts",
  killAndRestart: "data that survive the process",
  pausing: "process that can be paused",
  storeOutage: "store that can fail by itself",
  stepClock: "clock that can be set",
  failover: "database with a standby",
  secondProcess: "several processes on one store",
};

/** The abilities that disturb a gateway for everyone. Each case that needs one has a gateway of its own. */
export const disturbing: ReadonlySet<Ability> = new Set<Ability>([
  "killAndRestart",
  "pausing",
  "storeOutage",
  "stepClock",
  "failover",
  "secondProcess",
]);
