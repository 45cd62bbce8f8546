import type { Mutate } from "./open-shards.ts";

/** A mutation that can be seeded in a move, to check that it is detected. */
export type MoveMutation = "no fence" | "flip before the copy";

/** Returns how a mutation changes the statements of a process that moves accounts. */
export const mutationOf = (mutation: MoveMutation | undefined): Mutate =>
  mutation === undefined ? same : mutations[mutation];

const same: Mutate = (statement) => statement;

const mutations: Readonly<Record<MoveMutation, Mutate>> = {
  "no fence": (statement) => (setsFence(statement) ? { ...statement, text: withoutEffect } : statement),
  "flip before the copy": (statement) => {
    if (setsFence(statement, "arriving")) return { ...statement, text: withoutEffect };
    if (!statement.text.includes("SET step = 'frozen'")) return statement;
    return { ...statement, text: `${flip} ${statement.text}` };
  },
};

const setsFence = ({ text, values = [] }: Parameters<Mutate>[0], state?: string): boolean =>
  /INSERT INTO \S+shard_fence /.test(text) && (state === undefined || values[1] === state);

const withoutEffect = "SELECT $1::text, $2::text";

const flip = `WITH flipped AS (
  UPDATE tollgate.directory_account AS account SET shard = running.target, moving_to = NULL
    FROM tollgate.directory_move AS running WHERE running.account_id = $1 AND account.id = $1
)`;
