import type { GatewayOptions } from "../gateway-options.ts";
import { checkBasePath, checkNumbers } from "../problems.ts";
import type { AssistantOptions } from "./assistant-options.ts";
import { checkAssistants } from "./check-assistants.ts";

/** The problems of the option `assistants`, each with its name and the cure. */
export function checkAssistantOptions(options: AssistantOptions, models: GatewayOptions["models"]): string[] {
  return [
    ...checkPorts(options),
    ...(typeof options.list === "function" ? [] : checkAssistants(options.list, models)),
    ...checkNumbers("assistants.", options, [
      "sessionTtlMs",
      "maxSessionsPerAccount",
      "maxSessionBytesPerAccount",
      "maxFormBytes",
    ]),
    ...checkNumbers("assistants.turns.", options.turns ?? {}, [
      "maxRounds",
      "maxWebhooks",
      "parallelWebhooks",
      "webhookMs",
      "webhooksMs",
      "leaseMs",
      "historyLimit",
      "historyBytes",
      "imageBytes",
    ]),
    ...checkBasePath("assistants.basePath", options.basePath),
  ];
}

function checkPorts({ sessions, runner }: AssistantOptions): string[] {
  const problems: string[] = [];
  if (typeof sessions?.beginTurn !== "function") {
    problems.push("`assistants.sessions` is not a SessionStore. Pass one, such as memorySessionStore().");
  }
  if (typeof runner?.run !== "function" || typeof runner.judge !== "function") {
    problems.push("`assistants.runner` is not a WebhookRunner. Pass one, such as webhookRunner() of @tollgate/node.");
  }
  return problems;
}
