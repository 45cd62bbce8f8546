import type { AnswerOf, ItemOf, listRequests, showMe } from "@tollgate/management/operations";

/** Any JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** A value of an answer, which nothing changes. What no schema describes is any JSON. */
export type Shown<T> = unknown extends T
  ? Json
  : T extends readonly (infer Item)[]
    ? readonly Shown<Item>[]
    : T extends object
      ? keyof T extends never
        ? Json
        : { readonly [Name in keyof T]: Shown<T[Name]> }
      : T;

/** Who is signed in, and what the host serves. */
export type Me = Shown<AnswerOf<typeof showMe>>;

/** What a signed-in person may do; each role includes the ones before. */
export type Role = Me["role"];

/** One page of a list; `next` is null on the last page. */
export interface Page<T> {
  readonly data: readonly T[];
  readonly next: string | null;
}

/** An amount as a decimal string in the host's currency. */
export type Amount = string;

/** Tokens by class. `input` contains the cached and cache-write tokens; `output` contains `reasoning`. */
export type Tokens = Shown<ItemOf<typeof listRequests>["tokens"]>;

/** An upstream model. */
export type Target = NonNullable<Shown<ItemOf<typeof listRequests>["target"]>>;
