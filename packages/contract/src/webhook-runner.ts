import { runSuite, type TestRunner } from "./suite.ts";
import { answerCases } from "./webhook-runner/answers.ts";
import { type OpenedRunner, openContext, type WebhookTarget } from "./webhook-runner/context.ts";
import { endingCases } from "./webhook-runner/endings.ts";
import { sendingCases } from "./webhook-runner/sending.ts";

/** What the suite needs: the test runner, and a way to make a WebhookRunner that may call the suite's own server. */
export interface WebhookRunnerSuiteOptions {
  readonly test: TestRunner;
  readonly create: (target: WebhookTarget) => OpenedRunner | Promise<OpenedRunner>;
}

/**
 * What every WebhookRunner must satisfy. Each case starts an HTTP server on 127.0.0.1, which is all that the runner
 * is asked to reach, and needs a runner that has room for answers of 1,000 bytes and not for any number of them.
 */
export function webhookRunnerContract({ test, create }: WebhookRunnerSuiteOptions): void {
  const groups = { "what is sent": sendingCases, "what comes back": answerCases, "how a call ends": endingCases };
  const open = () => openContext(create);
  runSuite({ test, create: open }, "WebhookRunner", groups, ({ store }, check) => check(store));
}
