import { type Answer, jsonAnswer } from "./edge/answer.ts";
import type { Incoming } from "./edge/incoming.ts";
import { GatewayError } from "./errors/gateway-error.ts";
import { formatAmount } from "./money/decimal.ts";
import type { Services } from "./services.ts";
import { admit } from "./steps/admit.ts";
import type { Admitted } from "./steps/admit-request.ts";
import { askStore } from "./steps/ask-store.ts";

/** GET /models: the models that the key may use, in the configured order. */
export async function listModels(services: Services, incoming: Incoming): Promise<Answer> {
  const admitted = await admit(services, incoming);
  try {
    await requireFunds(services, admitted);
    return jsonAnswer(200, admitted.trail.headers, { object: "list", data: visibleModels(services, admitted) });
  } finally {
    admitted.run.end();
  }
}

function visibleModels(services: Services, { key, plan }: Admitted): unknown[] {
  const models = [...services.models.current().values()];
  return models.filter(({ id }) => plan.allowsModel(key, id)).map(({ entry }) => entry);
}

/** Running holds do not hide the list: only what is posted counts. */
async function requireFunds(services: Services, { key, plan }: Admitted): Promise<void> {
  if (plan.billing === "none") return;
  const { posted } = await askStore(
    services.storeTimeoutMs,
    () => services.balances.balance(key.account),
    (balance) => typeof balance?.posted === "bigint",
  );
  if (posted > 0n) return;
  throw new GatewayError("insufficient_balance", `The balance is ${formatAmount(posted)}. Top it up to use this API.`, {
    metadata: { available: formatAmount(posted) },
  });
}
