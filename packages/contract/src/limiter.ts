import type { Limiter } from "@tollgate/core/store";
import { concurrencyCases } from "./limiter/concurrency.ts";
import { limiterContext } from "./limiter/context.ts";
import { requestCases } from "./limiter/requests.ts";
import { tokenCases } from "./limiter/tokens.ts";
import { runSuite, type SuiteOptions } from "./suite.ts";

/** The suite for every Limiter. Each case uses a new subject. Two cases wait for a window of one second. */
export function limiterContract(options: SuiteOptions<Limiter>): void {
  const groups = { requests: requestCases, tokens: tokenCases, concurrency: concurrencyCases };
  runSuite(options, "Limiter", groups, (opened, check) => check(limiterContext(opened)));
}
