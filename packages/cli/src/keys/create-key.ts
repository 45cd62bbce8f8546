import type { Feature, Limits, NewKey } from "@tollgate/core/store";
import { features } from "@tollgate/core/store";
import type { Command } from "commander";
import { example, type Run } from "../command.ts";
import { readFeatures } from "../input/features.ts";
import { readCount, readWindow } from "../input/numbers.ts";
import { misread, readList, readText } from "../input/text.ts";
import { readFutureTime } from "../input/times.ts";
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
    .description("Create a key and show it once.")
    .requiredOption("--account <account>", "the account that pays", readText("--account"))
    .requiredOption("--plan <plan>", "the id of a plan of the gateway", readText("--plan"))
    .option("--name <name>", "a name that identifies the key for people", readText("--name"))
    .option("--models <ids>", "allow only these models, comma-separated", readList("--models"))
    .option("--features <names>", `allow only these features, comma-separated: ${features.join(", ")}`, readFeatures)
    .option("--requests <n/seconds>", "limit of requests in a window: 100/60", readWindow("requests"))
    .option("--tokens <n/seconds>", "limit of tokens in a window: 100000/60", readWindow("tokens"))
    .option("--concurrency <n>", "limit of concurrent requests", readCount("--concurrency"))
    .option("--expires <when>", "2027-01-01 (its start in UTC), a timestamp, or 30d", readFutureTime("--expires"))
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
        const issued = await session.call(() => session.keys.create(toNewKey(options)));
        await showNewKey(session, issued);
      }),
    );
}

/** Throws for an unknown plan, because the gateway would respond to every request of the key with an error. */
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
