import type { Feature, Limits, NewKey } from "@tollgate/core/store";
import { features } from "@tollgate/core/store";
import type { Command } from "commander";
import { example, type Run } from "../command.ts";
import { readFeatures } from "../input/features.ts";
import { readCount, readWindow } from "../input/numbers.ts";
import { misread, readList, readText } from "../input/text.ts";
import { readMoment } from "../input/times.ts";
import { showNewKey } from "./show-new-key.ts";

interface Options extends Limits {
  readonly account: string;
  readonly plan: string;
  readonly name?: string;
  readonly models?: readonly string[];
  readonly features?: readonly Feature[];
  readonly expires?: Date;
}

/** Adds `keys create`. */
export function addCreateKey(keys: Command, run: Run): void {
  keys
    .command("create")
    .description("Make a key and show it, this once.")
    .requiredOption("--account <account>", "the account that pays", readText("--account"))
    .requiredOption("--plan <plan>", "the plan, as the gateway names it", readText("--plan"))
    .option("--name <name>", "what tells the key apart for people", readText("--name"))
    .option("--models <ids>", "the only models it may use, with commas between them", readList("--models"))
    .option("--features <names>", `the only features it may use, of ${features.join(", ")}`, readFeatures)
    .option("--requests <n/seconds>", "requests in a window: 100/60", readWindow("requests"))
    .option("--tokens <n/seconds>", "tokens in a window: 100000/60", readWindow("tokens"))
    .option("--concurrency <n>", "requests at the same time", readCount("--concurrency"))
    .option("--expires <when>", "2027-01-01 (its first instant in UTC), a timestamp, or 30d", readMoment("--expires"))
    .addHelpText(
      "after",
      example(
        "keys create --account acme --plan prepaid",
        "keys create --account acme --plan prepaid --models a,b --requests 100/60 --expires 30d",
      ),
    )
    .action((options: Options) =>
      run(async (session) => {
        checkPlan(options.plan, session.plans);
        const issued = await session.ask(() => session.keys.create(toNewKey(options)));
        await showNewKey(session, issued);
      }),
    );
}

/** A gateway answers every request of a key whose plan it does not have with an error of its own. */
function checkPlan(plan: string, plans: readonly string[] | undefined): void {
  if (plans?.includes(plan) === false) throw misread("--plan", plan, `write one of ${plans.join(", ")}`);
}

function toNewKey({ requests, tokens, concurrency, expires, ...rest }: Options): NewKey {
  const limits: Limits = {
    ...(requests === undefined ? {} : { requests }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(concurrency === undefined ? {} : { concurrency }),
  };
  return {
    ...rest,
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
    ...(expires === undefined ? {} : { expiresAt: expires }),
  };
}
