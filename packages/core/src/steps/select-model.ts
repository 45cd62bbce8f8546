import { GatewayError } from "../errors/gateway-error.ts";
import type { Parsed, Selected } from "../request/request-stages.ts";
import type { CatalogueServices } from "../request/services.ts";

/** Check 6: the model. The answer does not tell an unknown model from one of others. */
export function selectModel(services: CatalogueServices, parsed: Parsed): Selected {
  const { content, plan, key } = parsed;
  const model = services.models.current().get(content.chat.model);
  if (model === undefined || !plan.allowsModel(key, model.id)) {
    throw modelNotFound(content.chat.model);
  }
  return { ...parsed, model };
}

/** The refusal of a model that there is not, or that the key may not use: one text for both. */
export const modelNotFound = (id: string): GatewayError =>
  new GatewayError(
    "model_not_found",
    `The model \`${id.slice(0, 128)}\` does not exist or is not available to this key. GET /models lists the models that are.`,
    { param: "model" },
  );
