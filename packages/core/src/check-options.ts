import { checkAssistantOptions } from "./assistant/check-assistant-options.ts";
import { checkModels } from "./catalogue/check-models.ts";
import { CheckedPlan } from "./catalogue/checked-plan.ts";
import { limitNames } from "./catalogue/target-limits.ts";
import type { AssistantGatewayOptions, GatewayOptions, MoneyOptions, Plan, RoutingOptions } from "./gateway-options.ts";
import { checkLimits } from "./limits/check-limits.ts";
import { attempt, checkBasePath, checkNumbers, repeated } from "./problems.ts";

/** Checks every option once; throws one Error that lists all problems, each with the option's name and the cure. */
export function checkOptions(options: GatewayOptions | AssistantGatewayOptions): void {
  const problems = [
    ...checkPorts(options),
    ...options.plans.flatMap(checkPlan),
    ...repeated("plans", options.plans),
    ...(typeof options.models === "function" ? [] : checkModels(options.models)),
    ...checkNumbers("", options, ["maxBodyBytes", "maxInFlight", "storeTimeoutMs", "maxFailedKeysPerMinute"]),
    ...checkNumbers("upstream.", options.upstream ?? {}, limitNames),
    ...checkNumbers("routing.", options.routing ?? {}, [
      "backoffMs",
      "longestRetryAfterMs",
      "failuresToOpen",
      "openMs",
    ]),
    ...checkRetries(options.routing ?? {}),
    ...checkNumbers("streams.", options.streams ?? {}, [
      "commitMs",
      "keepAliveMs",
      "stalledMs",
      "maxBufferedBytesPerStream",
      "maxBufferedBytes",
    ]),
    ...checkNumbers("money.", options.money ?? {}, ["minAffordableTokens", "leaseMs", "heartbeatMs"]),
    ...checkHeartbeat(options.money ?? {}),
    ...("assistants" in options ? checkAssistantOptions(options.assistants, options.models) : []),
  ];
  if (problems.length > 0) throw new Error(`createGateway cannot start:\n- ${problems.join("\n- ")}`);
}

function checkPorts(options: GatewayOptions): string[] {
  const problems: string[] = [];
  if (typeof options.keys?.find !== "function" || typeof options.keys.onChange !== "function")
    problems.push("`keys` is not a KeyStore. Pass one, such as memoryKeyStore().");
  if (typeof options.balances?.hold !== "function") {
    problems.push("`balances` is not a BalanceStore. Pass one, such as memoryBalanceStore().");
  }
  if (options.terms !== undefined && typeof options.terms.store?.acceptance !== "function") {
    problems.push("`terms.store` is not a TermsStore. Pass one, such as memoryTermsStore().");
  }
  if (options.plans.length === 0) problems.push("`plans` is empty. Give at least one plan, and name it in each key.");
  problems.push(...checkBasePath("basePath", options.basePath));
  return problems;
}

function checkRetries({ retries }: RoutingOptions): string[] {
  if (retries === undefined || (Number.isSafeInteger(retries) && retries >= 0)) return [];
  return ["`routing.retries` must be a whole number; 0 tries nothing again."];
}

function checkHeartbeat({ leaseMs = 60_000, heartbeatMs = 0 }: MoneyOptions): string[] {
  if (heartbeatMs <= leaseMs / 2) return [];
  return [
    "`money.heartbeatMs` is more than half of `money.leaseMs`, so one lost beat ends holds. Lower it or leave it out.",
  ];
}

function checkPlan(plan: Plan): string[] {
  const problems = checkLimits(`plans (${plan.id}).limits`, plan.limits ?? {});
  if (plan.billing !== "prepaid" && plan.billing !== "none") {
    problems.push(`\`plans (${plan.id}).billing\` must be "prepaid" or "none".`);
  }
  return problems.length > 0 ? problems : attempt(`plans (${plan.id})`, () => new CheckedPlan(plan));
}
