import { isReservationResult, limitError } from "../access/limits/limiter-results.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import { estimateAnyPrompt } from "../money/token-counter.ts";
import { callStoreWithTimeout } from "../ports/call-store-with-timeout.ts";
import type { Reservation, ReservationResult } from "../ports/limiter.ts";
import type { Model } from "../ports/model.ts";
import type { Call } from "../request/call.ts";
import type { Admission, Caller, CallSize, PaidCall } from "../request/paid-call.ts";
import type { Services } from "../request/services.ts";
import { modelAt } from "../routing/model.ts";
import { findByAlias } from "../routing/model-catalogue.ts";
import { dialectEndpoints } from "../wire/dialect.ts";
import { checkCall } from "./check-call.ts";
import { limitsSubjectOf } from "./limits-subject.ts";
import { placeHold } from "./place-hold.ts";

/** The steps from a parsed call to one whose cost is held. A turn of an assistant pays for each call of its model here too. */
export async function pay(services: Services, admission: Admission, call: Call): Promise<PaidCall> {
  const { exchange, caller, slot } = admission;
  exchange.report.readEndUser(call.chat);
  const model = selectModel(services, caller, call, exchange.startedAt); // 404
  exchange.report.model = model.id;
  const size = checkCall(caller, call, model); // 403, 400
  if (services.spendCap !== undefined) await services.spendCap.requireRoom(); // 503
  const reservation = await reserve(services, admission, call, model, size); // 429
  const hold = await placeHold(services, admission, call, model, size); // 402
  exchange.report.mark("held");
  // From here on, the bill settles the reservation.
  slot.pending = undefined;
  return { exchange, caller, slot, call, model, size, reservation, hold };
}

/**
 * Returns the model of a call, which must be of the kind that its dialect needs, with the price lists of the time at which its
 * request started. An unknown model and one that the key may not use get the same 404.
 */
export function selectModel(
  services: Services,
  { key, plan }: Caller,
  { chat, dialect }: Call,
  startedAt: number,
): Model {
  const model = findModel(services, chat.model);
  if (model === undefined || !plan.allowsModel(key, model.id)) throw modelNotFound(chat.model);
  if ((model.kind === "embedding") !== (dialect === "embeddings")) throw wrongKind(model);
  return modelAt(model, startedAt);
}

/** Returns the model with this id, or else with this alias, with its first price lists. */
export function findModel({ models }: Services, name: string): Model | undefined {
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

const path = ({ path }: { readonly path: string }): string => `POST ${path}`;
const { embeddings, chat, messages, responses } = dialectEndpoints;

/** The error for a model of a kind that does not answer the dialect of a request. */
function wrongKind({ id, kind }: Model): GatewayError {
  const advice =
    kind === "embedding"
      ? `is an embedding model. Use ${path(embeddings)}, or another model`
      : `does not make embeddings. Use ${path(chat)}, ${path(messages)} or ${path(responses)}, or an embedding model`;
  return new GatewayError("unsupported_value", `The model \`${id}\` ${advice}.`, { param: "model" });
}

/**
 * Reserves tokens of the key's window and its concurrency in one call of the limiter. Returns undefined if the key has no
 * such limits. Throws 429 if a limit is reached.
 */
export async function reserve(
  services: Services,
  { exchange, caller, slot }: Admission,
  call: Call,
  model: Model,
  size: CallSize,
): Promise<Reservation | undefined> {
  const { key, plan } = caller;
  const window = plan.tokensOf(key);
  const concurrency = plan.concurrencyOf(key);
  if (window === undefined && concurrency === undefined) return undefined;
  const reservation = {
    id: exchange.id,
    subject: limitsSubjectOf(caller),
    leaseMs: services.money.leaseMs,
    tokens: window && { amount: Math.min(tokensToReserve(services, call, model, size), window.limit), window },
    concurrency,
  };
  slot.pending = reservation;
  const result = await callStoreWithTimeout(
    services.storeTimeoutMs,
    () => services.limiter.reserve(reservation),
    isReservationResult,
  );
  if (result.granted) return reservation;
  slot.pending = undefined;
  throw limitRefusal(result);
}

/** A worst case would refuse keys that have used nothing, so the settlement corrects what is reserved, upwards too. */
function tokensToReserve(
  { money }: Services,
  call: Call,
  model: Model,
  { promptBound, outputBound }: CallSize,
): number {
  const prompt = Math.min(promptBound, estimateAnyPrompt(call.prompt, call.bytes, model.imageTokens));
  return prompt + outputBound.choices * Math.min(outputBound.perChoice, money.reserveOutputTokens);
}

function limitRefusal({ refusedBy, state }: Extract<ReservationResult, { granted: false }>): GatewayError {
  const what = refusedBy === "tokens" ? "Too many tokens in this window." : "Too many requests at the same time.";
  return limitError(refusedBy, state, what);
}
