import { deepEqual } from "node:assert/strict";
import type { Cases } from "../../suite.ts";
import type { ProviderContext } from "../context.ts";
import { nativeAnswers, nativeStreams } from "./answers.ts";
import { nativeCancellation, nativeStreamCancellation } from "./cancellation.ts";
import { nativeFailures } from "./failures.ts";
import { type DialectContext, inDialect } from "./native-calls.ts";
import { type DialectName, nativeSamples } from "./native-samples.ts";
import { nativeRequests } from "./requests.ts";

const always: Cases<DialectContext> = {
  ...nativeAnswers,
  ...nativeRequests,
  ...nativeFailures,
  ...nativeCancellation,
};

/** Returns the cases of each dialect, whose names begin with that of the dialect. */
export function dialectGroups(names: readonly DialectName[]): Readonly<Record<string, Cases<ProviderContext>>> {
  return Object.fromEntries(names.map((name) => [`dialect ${name}`, casesOf(name)]));
}

/** The case that finds a dialect which is declared but not tested, or the reverse. */
export const declarationCases = (names: readonly DialectName[]): Cases<ProviderContext> => ({
  "the declared dialects are those that the suite tests": async ({ provider: { dialects = {} } }) => {
    const declared = Object.entries(dialects).filter(([, method]) => method !== undefined);
    deepEqual(
      declared.map(([name]) => name).sort(),
      [...names].sort(),
      "Pass the names of all methods in `dialects` of the provider as the option `dialects` of providerContract.",
    );
  },
});

function casesOf(dialect: DialectName): Cases<ProviderContext> {
  const streaming = { ...nativeStreams, ...nativeStreamCancellation };
  const cases = nativeSamples[dialect].events === undefined ? always : { ...always, ...streaming };
  return Object.fromEntries(
    Object.entries(cases).map(([name, check]) => [
      `${dialect}: ${name}`,
      (context: ProviderContext) => check(inDialect(context, dialect)),
    ]),
  );
}
