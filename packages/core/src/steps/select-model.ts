import type { Model } from "../catalogue/model.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import type { Room } from "../request/incoming.ts";
import type { Services } from "../request/services.ts";
import type { Parsed } from "./parse-request.ts";

/** A request for a model that its key may use. */
export interface Selected extends Parsed {
  readonly model: Model;
}

/** Check 6: the model. The answer does not tell an unknown model from one of others. */
export function selectModel(services: Services, parsed: Room<Parsed, Selected>): asserts parsed is Selected {
  const model = services.models.current().get(parsed.chat.model);
  if (model === undefined || !parsed.plan.allowsModel(parsed.key, model.id)) {
    throw modelNotFound(parsed.chat.model);
  }
  parsed.model = model;
}

/** The refusal of a model that there is not, or that the key may not use: one text for both. */
export const modelNotFound = (id: string): GatewayError =>
  new GatewayError(
    "model_not_found",
    `The model \`${id.slice(0, 128)}\` does not exist or is not available to this key. GET /models lists the models that are.`,
    { param: "model" },
  );
