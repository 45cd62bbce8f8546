import { answerCases } from "./provider/answers.ts";
import { basicCases } from "./provider/basics.ts";
import { cancellationCases } from "./provider/cancellation.ts";
import { type OpenedProvider, type ProviderContext, runWithProvider } from "./provider/context.ts";
import { declarationCases, dialectGroups } from "./provider/dialects/dialect-groups.ts";
import type { DialectName } from "./provider/dialects/native-samples.ts";
import { failureCases } from "./provider/failures.ts";
import { invalidAnswerCases } from "./provider/invalid-answers.ts";
import { openaiCodec } from "./provider/openai-codec.ts";
import { requestCases } from "./provider/requests.ts";
import type { ScriptedUpstream } from "./provider/scripted-upstream.ts";
import { streamFailureCases } from "./provider/stream-failures.ts";
import type { UpstreamCodec } from "./provider/upstream-codec.ts";
import type { Cases, TestRunner } from "./suite.ts";

/** The options of {@link providerContract}. */
export interface ProviderSuiteOptions {
  readonly test: TestRunner;
  /** Creates the provider of one case, which must call the given upstream. */
  readonly create: (upstream: ScriptedUpstream) => OpenedProvider | Promise<OpenedProvider>;
  /** The wire format of the upstream. The default is `openaiCodec`. */
  readonly codec?: UpstreamCodec;
  /**
   * What the provider calls: the suite's upstream over "http", a test double that plays the results of `upstream.take`
   * ("scripts"), or "nothing" that the suite controls. The default is "http". The other values run fewer cases.
   */
  readonly behind?: "http" | "scripts" | "nothing";
  /**
   * The names of all methods in the provider's `dialects`, each of which is tested over "http". The default is none, and
   * the suite fails for a provider that declares others.
   */
  readonly dialects?: readonly DialectName[];
  /** The cases to skip: each name with the reason why the case does not apply. */
  readonly without?: Readonly<Record<string, string>>;
}

type Groups = Readonly<Record<string, Cases<ProviderContext>>>;

/**
 * The suite for every ProviderAdapter. Each case starts an upstream on 127.0.0.1, whose responses it scripts in a
 * provider-neutral form, and creates a provider for it. Throws an Error for an unknown case in `without`.
 */
export function providerContract(options: ProviderSuiteOptions): void {
  const { test, create, codec = openaiCodec, without = {} } = options;
  const groups = groupsFor(options);
  checkSkipped(groups, without);
  test.describe("ProviderAdapter", () => {
    for (const [group, cases] of Object.entries(groups)) {
      const selected = Object.entries(cases).filter(([name]) => !Object.hasOwn(without, name));
      if (selected.length === 0) continue;
      test.describe(group, () => {
        for (const [name, check] of selected) test.it(name, () => runWithProvider(create, codec, check));
      });
    }
  });
}

/** Cases of HTTP need the suite's server, and cases of answers need at least a script. */
function groupsFor({ behind = "http", codec = openaiCodec, dialects = [] }: ProviderSuiteOptions): Groups {
  const hasFailureEvents = behind === "scripts" || codec.failureEvent !== undefined;
  const always: Groups = { "every provider": basicCases };
  if (behind === "nothing") return always;
  const scripted: Groups = {
    ...always,
    answers: answerCases,
    failures: failureCases,
    ...(hasFailureEvents ? { "failures in streams": streamFailureCases } : {}),
    cancellation: cancellationCases,
  };
  if (behind === "scripts") return scripted;
  return {
    ...scripted,
    requests: requestCases,
    "invalid answers": invalidAnswerCases,
    dialects: declarationCases(dialects),
    ...dialectGroups(dialects),
  };
}

function checkSkipped(groups: Groups, without: Readonly<Record<string, string>>): void {
  for (const [name, reason] of Object.entries(without)) {
    if (reason.trim() === "") throw new Error(`The case "${name}" is skipped without a reason. Add a reason.`);
    if (!Object.values(groups).some((cases) => Object.hasOwn(cases, name))) {
      throw new Error(`There is no case "${name}" to skip. Use the exact name from the test report.`);
    }
  }
}
