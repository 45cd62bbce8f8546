import { answerCases } from "./provider/answers.ts";
import { basicCases } from "./provider/basics.ts";
import { brokenAnswerCases } from "./provider/broken-answers.ts";
import { type OpenedProvider, type ProviderContext, runWithProvider } from "./provider/context.ts";
import { failureCases } from "./provider/failures.ts";
import { leavingCases } from "./provider/leaving.ts";
import { openaiCodec } from "./provider/openai-codec.ts";
import { requestCases } from "./provider/requests.ts";
import type { ScriptedUpstream } from "./provider/scripted-upstream.ts";
import { streamFailureCases } from "./provider/stream-failures.ts";
import type { UpstreamCodec } from "./provider/upstream-codec.ts";
import type { Cases, TestRunner } from "./suite.ts";

/** What the suite needs: the test runner, and a way to make a provider whose upstream is the suite's own. */
export interface ProviderSuiteOptions {
  readonly test: TestRunner;
  /** Makes the provider of one case. */
  readonly create: (upstream: ScriptedUpstream) => OpenedProvider | Promise<OpenedProvider>;
  /** How the upstream puts things on the wire; `openaiCodec` when absent. */
  readonly codec?: UpstreamCodec;
  /**
   * What is behind the provider: an upstream that it reaches over `http`, a double that plays what `upstream.take`
   * says (`scripts`), or `nothing` that the suite could set up. The less there is, the fewer cases apply. "http" when absent.
   */
  readonly behind?: "http" | "scripts" | "nothing";
  /** Cases that do not apply, by name, each with the reason. */
  readonly without?: Readonly<Record<string, string>>;
}

type Groups = Readonly<Record<string, Cases<ProviderContext>>>;

/**
 * What every ProviderAdapter must satisfy. Each case starts an upstream on 127.0.0.1 that is told in no provider's
 * form what to do, and makes a provider for it. Throws an Error for a case to leave out that the suite does not have.
 */
export function providerContract(options: ProviderSuiteOptions): void {
  const { test, create, codec = openaiCodec, without = {} } = options;
  const groups = groupsFor(options);
  checkLeftOut(groups, without);
  test.describe("ProviderAdapter", () => {
    for (const [group, cases] of Object.entries(groups)) {
      const kept = Object.entries(cases).filter(([name]) => !Object.hasOwn(without, name));
      if (kept.length === 0) continue;
      test.describe(group, () => {
        for (const [name, check] of kept) test.it(name, () => runWithProvider(create, codec, check));
      });
    }
  });
}

/** Cases of HTTP need the suite's server behind the provider, and those of answers at least a script. */
function groupsFor({ behind = "http", codec = openaiCodec }: ProviderSuiteOptions): Groups {
  const tells = behind === "scripts" || codec.failureEvent !== undefined;
  const always: Groups = { "every provider": basicCases };
  if (behind === "nothing") return always;
  const scripted: Groups = {
    ...always,
    answers: answerCases,
    failures: failureCases,
    ...(tells ? { "failures in streams": streamFailureCases } : {}),
    leaving: leavingCases,
  };
  return behind === "scripts"
    ? scripted
    : { ...scripted, "what is sent": requestCases, "broken answers": brokenAnswerCases };
}

function checkLeftOut(groups: Groups, without: Readonly<Record<string, string>>): void {
  for (const [name, reason] of Object.entries(without)) {
    if (reason.trim() === "") throw new Error(`The case "${name}" is left out without a reason. Give one.`);
    if (!Object.values(groups).some((cases) => Object.hasOwn(cases, name))) {
      throw new Error(`There is no case "${name}" to leave out. Take its name from the suite's report.`);
    }
  }
}
