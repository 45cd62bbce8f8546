import { alternate, type Rounds } from "../rounds.ts";
import { type UsageDatabase, usageDatabases } from "../usage/measure-usage.ts";
import { type AnswerTime, type answerNames, measureAnswers } from "./account-answers.ts";
import type { AccountYear } from "./account-year.ts";
import { openPostgresAccount } from "./postgres-account.ts";
import { openSqliteAccount } from "./sqlite-account.ts";

/** How long the answers to a key of an account with a year of requests take, on each database. */
export interface AccountResults {
  readonly answers: Rounds<UsageDatabase, Readonly<Record<(typeof answerNames)[number], AnswerTime>>>;
}

/** Measures the endpoints of the account on both databases, with a year of `rows` requests. */
export async function measureAccount(rows: number): Promise<AccountResults> {
  const open = { postgres: openPostgresAccount, sqlite: openSqliteAccount };
  return { answers: await alternate(usageDatabases, 1, (name) => measured(open[name](rows))) };
}

async function measured(opening: Promise<AccountYear> | AccountYear) {
  const year = await opening;
  try {
    return await measureAnswers(year);
  } finally {
    await year.close();
  }
}
