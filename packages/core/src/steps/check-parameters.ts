import { GatewayError } from "../errors/gateway-error.ts";
import { certainlyTooLong } from "../money/bounds.ts";
import type { Model } from "../ports/model.ts";
import type { Checked, Permitted } from "../request/request-stages.ts";
import { targetsFor } from "../routing/attempts.ts";
import { findOtherData, imageTypesOnly } from "../wire/images.ts";
import { isJsonObject } from "../wire/json.ts";
import type { Prompt } from "../wire/prompt.ts";

/** Check 8: the parameter values against the model. */
export function checkParameters(permitted: Permitted): Checked {
  const { model, content } = permitted;
  const { chat, prompt, inspected } = content;
  refuseUnpriced(inspected.steering, model);
  targetsFor(model, chat);
  if (prompt.images.count > 0) checkImages(prompt);
  checkReasoningEffort(model, "reasoning_effort", chat.reasoning_effort);
  const { reasoning } = chat;
  if (isJsonObject(reasoning)) checkReasoningEffort(model, "reasoning.effort", reasoning["effort"]);
  checkOutputCap(model, "max_completion_tokens", chat.max_completion_tokens);
  checkOutputCap(model, "max_tokens", chat.max_tokens);
  if (model.contextWindow !== undefined && certainlyTooLong(prompt, content.bytes, model.contextWindow)) {
    throw new GatewayError(
      "context_length_exceeded",
      `The messages are longer than this model's context window of ${model.contextWindow} tokens. Shorten them.`,
      { param: "messages" },
    );
  }
  return { ...permitted, parametersChecked: true };
}

/** What changes what a call costs or where it goes passes only where the host's price covers it at every target. */
function refuseUnpriced(steering: ReadonlyMap<string, string>, { targets }: Model): void {
  for (const [name, param] of steering) {
    if (targets.every(({ provider }) => provider.capabilities.pricedFields.includes(name))) continue;
    throw new GatewayError("unsupported_parameter", `\`${param}\` is not supported here. Leave it out.`, { param });
  }
}

/** Some upstreams read the text of a data URL that is no image, of which an image's tokens are no bound. */
function checkImages({ messages }: Prompt): void {
  const param = findOtherData(messages);
  if (param !== undefined) throw new GatewayError("unsupported_value", `\`${param}\` ${imageTypesOnly}`, { param });
}

function checkReasoningEffort({ reasoning }: Model, param: string, effort: unknown): void {
  if (effort == null || reasoning === undefined || reasoning.effortLevels.some((level) => level === effort)) return;
  throw new GatewayError(
    "unsupported_value",
    `\`${param}\` must be one of ${reasoning.effortLevels.map((level) => `"${level}"`).join(", ")} for this model.`,
    { param },
  );
}

function checkOutputCap(model: Model, param: string, cap: number | null | undefined): void {
  if (cap == null || cap <= model.maxOutputTokens) return;
  throw new GatewayError("unsupported_value", `\`${param}\` must be at most ${model.maxOutputTokens} for this model.`, {
    param,
  });
}
