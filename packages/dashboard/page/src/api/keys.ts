import type {
  AnswerOf,
  BodyOf,
  createKey,
  ItemOf,
  listKeys,
  listPlans,
  showKey,
} from "@tollgate/management/operations";
import type { Shown } from "./common.ts";

/** An API key of an account, without its secret. Null members are those of its plan. */
export type Key = Shown<ItemOf<typeof listKeys>>;

/** Whether a key can be used. */
export type KeyState = Key["state"];

/** What the requests of a key may use. Null: no limit of its own. */
export type Limits = NonNullable<Key["limits"]>;

/** The most in a window of seconds. */
export type WindowLimit = NonNullable<Limits["requests"]>;

/** The answer of GET keys/{id}. */
export type KeyDetail = Shown<AnswerOf<typeof showKey>>;

/** A key with its secret, which is shown only once. */
export type CreatedKey = Shown<AnswerOf<typeof createKey>>;

/** The body of POST keys. */
export type NewKey = Shown<BodyOf<typeof createKey>>;

/** A plan that the host configures. */
export type Plan = Shown<AnswerOf<typeof listPlans>>["data"][number];
