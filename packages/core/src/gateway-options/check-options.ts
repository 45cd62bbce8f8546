import { isExtension } from "../edge/extension.ts";
import { keyPlaceOf } from "../keys/key-place.ts";
import { readOptions } from "../options/problems.ts";
import { isJsonObject } from "../wire/json.ts";
import type { ExtendedGatewayOptions, GatewayOptions } from "./gateway-options.ts";
import { gatewaySchema } from "./gateway-schema.ts";

/** What a gateway is made of, checked and copied. */
export type CheckedOptions = GatewayOptions & Partial<Pick<ExtendedGatewayOptions<object>, "assistants">>;

/**
 * Checks every option once and returns a copy, so that a later change by the caller has no effect. Throws one Error that
 * lists all problems, each with the name of the option, what came, and what to do.
 */
export function checkOptions(options: unknown): CheckedOptions {
  const reading = readOptions<CheckedOptions>(gatewaySchema, options);
  const problems = [
    ...("problems" in reading ? reading.problems : checkTogether(reading.output)),
    ...checkExtension(options),
  ];
  if ("output" in reading && problems.length === 0) return reading.output;
  throw new Error(`createGateway cannot start:\n- ${problems.join("\n- ")}`);
}

/** What no option can say by itself. */
function checkTogether({ models, plans, keys, balances, ...sizes }: CheckedOptions): string[] {
  return [
    ...(typeof models === "function" ? [] : plans.flatMap((plan) => checkPlanModels(plan, models))),
    ...checkKeyPlaces(keys, balances),
    ...checkBodyBudget(sizes),
  ];
}

function checkPlanModels(plan: GatewayOptions["plans"][number], models: readonly { readonly id: string }[]): string[] {
  const unknown = (plan.models ?? []).filter((id) => models.every((model) => model.id !== id));
  return unknown.map(
    (id) => `\`plans (${plan.id}).models\` names "${id}", which is not among \`models\`. Add that model, or remove it.`,
  );
}

/** A body that its key has no room for could never be read. */
function checkBodyBudget({
  maxBodyBytes = 20_971_520,
  maxBufferedRequestBytes = Number.POSITIVE_INFINITY,
}: Pick<GatewayOptions, "maxBodyBytes" | "maxBufferedRequestBytes">): string[] {
  if (maxBufferedRequestBytes >= 4 * maxBodyBytes) return [];
  return [
    "`maxBufferedRequestBytes` must be at least four times `maxBodyBytes`, since one key may have a quarter of it. " +
      `Give at least ${4 * maxBodyBytes}, or lower \`maxBodyBytes\`.`,
  ];
}

function checkKeyPlaces(keys: object, balances: object): string[] {
  const [kept, expected] = [keyPlaceOf(keys), keyPlaceOf(balances)];
  if (kept === undefined || expected === undefined || kept === expected) return [];
  return [
    `\`balances\` checks each key in ${expected}, but \`keys\` keeps them in ${kept}, so every request would be refused. ` +
      "Take both from the same stores, or use a balance store that does not check keys.",
  ];
}

/** The problems of an extension are reported even when other options are wrong. */
function checkExtension(options: unknown): readonly string[] {
  const { assistants, models } = isJsonObject(options) ? options : {};
  return isExtension(assistants) ? assistants.problems(models) : [];
}
