import type { DialectCodec } from "../answering/dialect-codec.ts";
import { findByAlias } from "../catalogue/find-by-alias.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import type { Model } from "../ports/model.ts";
import type { Held, Parsed, Selected, WithBody } from "../request/request-stages.ts";
import type { CatalogueServices, DialectServices, HoldServices, LimitServices } from "../request/services.ts";
import { checkFeatures, checkParameters } from "./check-request.ts";
import { holdBalance, reserveTokens } from "./reserve-and-hold.ts";
import { wrongKind } from "./wrong-kind.ts";

/** Checks 5 to 10, from a body to a request whose cost is held. A turn also runs them for each call of its model. */
export async function prepareAndHold(
  services: CatalogueServices & LimitServices & HoldServices & DialectServices,
  withBody: WithBody,
  { parse }: Pick<DialectCodec, "parse">,
): Promise<Held> {
  const parsed = await parse(services, withBody);
  withBody.meta.report.readEndUser(parsed.content.chat);
  const permitted = checkFeatures(selectModel(services, parsed));
  const reserved = await reserveTokens(services, checkParameters(permitted));
  return await holdBalance(services, reserved);
}

/** Check 6: the model, which must be of the kind that the dialect needs. An unknown model and one that the key may not use get the same error. */
export function selectModel(services: CatalogueServices, parsed: Parsed): Selected {
  const { content, plan, key } = parsed;
  const model = findModel(services, content.chat.model);
  if (model === undefined || !plan.allowsModel(key, model.id)) {
    throw modelNotFound(content.chat.model);
  }
  if ((model.kind === "embedding") !== (content.dialect === "embeddings")) throw wrongKind(model);
  parsed.meta.report.model = model.id;
  return { ...parsed, model };
}

/** Returns the model with this id, or else with this alias. */
export function findModel({ models }: CatalogueServices, name: string): Model | undefined {
  const byId = models.current();
  return byId.get(name) ?? findByAlias(byId.values(), name);
}

/** The error for a model that does not exist or that the key may not use. */
export const modelNotFound = (id: string): GatewayError =>
  new GatewayError(
    "model_not_found",
    `The model \`${id.slice(0, 128)}\` does not exist or is not available to this key. GET /models lists the available models.`,
    { param: "model" },
  );
