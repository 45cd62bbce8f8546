import { runSuite, type TestRunner } from "./suite.ts";
import { type OpenedRunner, openContext, type WebhookTarget } from "./webhook-runner/context.ts";
import { failureCases } from "./webhook-runner/failures.ts";
import { responseCases } from "./webhook-runner/responses.ts";
import { sendingCases } from "./webhook-runner/sending.ts";

/**
 * The options of {@link webhookRunnerContract}. `create` returns a runner that is allowed to call the suite's server.
 */
export interface WebhookRunnerSuiteOptions {
  readonly test: TestRunner;
  readonly create: (target: WebhookTarget) => OpenedRunner | Promise<OpenedRunner>;
}

/**
 * The suite for every WebhookRunner. Each case starts an HTTP server on 127.0.0.1, the only target that the runner must
 * reach. The runner must accept responses of 1,000 bytes and must limit their size.
 */
export function webhookRunnerContract({ test, create }: WebhookRunnerSuiteOptions): void {
  const groups = { requests: sendingCases, responses: responseCases, failures: failureCases };
  const open = () => openContext(create);
  runSuite({ test, create: open }, "WebhookRunner", groups, ({ store }, check) => check(store));
}
