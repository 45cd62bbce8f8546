import { keyLocationOf } from "./access/key-location.ts";
import type { GatewayOptions } from "./gateway-options.ts";
import { gatewaySchema } from "./gateway-schema.ts";
import { readOptions } from "./options/problems.ts";
import { isExtension } from "./ports/extension.ts";
import { isJsonObject } from "./wire/json.ts";
import { matchesPattern } from "./wire/name-pattern.ts";

/**
 * Checks all options and returns a copy, so that later changes by the caller have no effect. Throws one Error that lists
 * all problems, each with the name of the option, the value, and what to do.
 */
export function checkOptions(options: unknown): GatewayOptions {
  const reading = readOptions(gatewaySchema, options);
  const problems = [
    ...("problems" in reading ? reading.problems : checkTogether(reading.output)),
    ...checkExtensions(options),
  ];
  if ("output" in reading && problems.length === 0) return reading.output;
  throw new Error(`createGateway cannot start:\n- ${problems.join("\n- ")}`);
}

/** Checks options that depend on each other. */
function checkTogether(options: GatewayOptions): string[] {
  const { models, plans, keys, balances, ...sizes } = options;
  return [
    ...(typeof models === "function" ? [] : plans.flatMap((plan) => checkPlanModels(plan, models))),
    ...checkKeyLocations(keys, balances),
    ...checkBodyBudget(sizes),
    ...checkSpend(options),
  ];
}

/** A cap that counts nothing would never be reached. */
function checkSpend({ spend, usage, models }: GatewayOptions): string[] {
  if (spend === undefined) return [];
  if (usage === undefined)
    return ["`spend` counts the upstream cost that `usage` records. Add `usage: { store }`, or leave `spend` out."];
  const isPriced = typeof models === "function" || models.some(({ targets }) => targets.some(({ cost }) => cost));
  return isPriced
    ? []
    : ["`spend` counts the `cost` of targets, and no target has one. Add what you pay, or leave `spend` out."];
}

function checkPlanModels(plan: GatewayOptions["plans"][number], models: readonly { readonly id: string }[]): string[] {
  const unknown = (plan.models ?? []).filter((id) => models.every((model) => model.id !== id));
  const unlimited = (plan.spend?.models ?? []).filter((name) => models.every(({ id }) => !matchesPattern(name, id)));
  const problem = (place: string, name: string): string =>
    `\`plans (${plan.id}).${place}\` names "${name}", which is not among \`models\`. Add that model, or remove it.`;
  return [...unknown.map((id) => problem("models", id)), ...unlimited.map((name) => problem("spend.models", name))];
}

/** Otherwise a body of the maximum size could never be read. */
function checkBodyBudget({
  maxBodyBytes = 20_971_520,
  maxBufferedRequestBytes = Number.POSITIVE_INFINITY,
}: Pick<GatewayOptions, "maxBodyBytes" | "maxBufferedRequestBytes">): string[] {
  if (maxBufferedRequestBytes >= 4 * maxBodyBytes) return [];
  return [
    "`maxBufferedRequestBytes` must be at least four times `maxBodyBytes`, since one key may use a quarter of it. " +
      `Give at least ${4 * maxBodyBytes}, or lower \`maxBodyBytes\`.`,
  ];
}

function checkKeyLocations(keys: object, balances: object): string[] {
  const [actual, expected] = [keyLocationOf(keys), keyLocationOf(balances)];
  if (actual === undefined || expected === undefined || actual === expected) return [];
  return [
    `\`balances\` checks each key in ${expected}, but \`keys\` stores them in ${actual}, so every request would be refused. ` +
      "Take both from the same stores, or use a balance store that does not check keys.",
  ];
}

/** Returns the problems of extensions, also when other options are invalid. */
function checkExtensions(options: unknown): readonly string[] {
  const { extensions, models } = isJsonObject(options) ? options : {};
  return Array.isArray(extensions) ? extensions.filter(isExtension).flatMap((each) => each.problems(models)) : [];
}
