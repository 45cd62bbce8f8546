import type { Model } from "../catalogue/model.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import { certainlyTooLong } from "../money/bounds.ts";
import { targetsFor } from "../routing/targets-for.ts";
import { type ChatParameters, checkedMembers } from "../wire/chat-completion-request.ts";
import { findOtherData, imageTypesOnly } from "../wire/images.ts";
import type { Prompt } from "../wire/prompt.ts";
import type { Permitted } from "./check-features.ts";

/** A request whose values the model accepts, as far as can be known without asking it. */
export interface Checked extends Permitted {
  readonly [parametersChecked]: true;
}

/** Says so to the compiler alone. */
declare const parametersChecked: unique symbol;

// Each of these changes what a call costs or where it goes, so it passes only where the host's price covers it.
const costlyFields: ReadonlySet<string> = new Set([
  "api_base",
  "api_key",
  "audio",
  "background",
  "base_url",
  "best_of",
  "custom_llm_provider",
  "enable_search",
  "extra_body",
  "fallbacks",
  "models",
  "plugins",
  "prediction",
  "preset",
  "provider",
  "route",
  "search_parameters",
  "service_tier",
  "store",
  "transforms",
  "use_beam_search",
  "web_search_options",
]);

const checkedFields: ReadonlySet<string> = new Set([...costlyFields, ...checkedMembers, "functions"]);

/** Check 8: the parameter values against the model. */
export function checkParameters(permitted: Permitted): asserts permitted is Checked {
  const { chat, prompt, text, body, model } = permitted;
  if (!text.isPlain) refuseFields(chat, model);
  targetsFor(model, chat);
  if (prompt.images.count > 0) checkImages(prompt);
  checkReasoningEffort(chat, model);
  checkOutputCap(model, "max_completion_tokens", chat.max_completion_tokens);
  checkOutputCap(model, "max_tokens", chat.max_tokens);
  if (model.contextWindow !== undefined && certainlyTooLong(prompt, body.length, model.contextWindow)) {
    throw new GatewayError(
      "context_length_exceeded",
      `The messages are longer than this model's context window of ${model.contextWindow} tokens. Shorten them.`,
      { param: "messages" },
    );
  }
}

function refuseFields(chat: ChatParameters, model: Model): void {
  for (const field in chat) {
    if (!checkedFields.has(field) && !usualName.test(field)) refuseOtherSpelling(field);
    if (!costlyFields.has(field) || chat[field] == null) continue;
    if (model.targets.every(({ provider }) => provider.capabilities.pricedFields.includes(field))) continue;
    throw new GatewayError("unsupported_parameter", `\`${field}\` is not supported here. Leave it out.`, {
      param: field,
    });
  }
}

const usualName = /^[a-z\d_]+$/;

/** To an upstream written in Go `MODEL` is `model`, and would get past what was checked, counted and priced here. */
function refuseOtherSpelling(field: string): void {
  // Upper case first, since it knows the long s, as Go does.
  const usual = field.toUpperCase().toLowerCase();
  if (usual === field || !checkedFields.has(usual)) return;
  throw new GatewayError("unsupported_parameter", `\`${field}\` is not supported here. Write it \`${usual}\`.`, {
    param: field,
  });
}

/** Some upstreams read the text of a data URL that is no image, of which an image's tokens are no bound. */
function checkImages({ messages }: Prompt): void {
  const param = findOtherData(messages);
  if (param !== undefined) throw new GatewayError("unsupported_value", `\`${param}\` ${imageTypesOnly}`, { param });
}

function checkReasoningEffort({ reasoning_effort: effort }: ChatParameters, { reasoning }: Model): void {
  if (effort == null || reasoning === undefined || reasoning.effortLevels.includes(effort)) return;
  throw new GatewayError(
    "unsupported_value",
    `\`reasoning_effort\` must be one of ${reasoning.effortLevels.map((level) => `"${level}"`).join(", ")} for this model.`,
    { param: "reasoning_effort" },
  );
}

function checkOutputCap(model: Model, param: string, cap: number | null | undefined): void {
  if (cap == null || cap <= model.maxOutputTokens) return;
  throw new GatewayError("unsupported_value", `\`${param}\` must be at most ${model.maxOutputTokens} for this model.`, {
    param,
  });
}
