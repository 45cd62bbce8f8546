import { type GatewayResponse, jsonResponse } from "../../ports/gateway-response.ts";
import { RequestPreference } from "../../request/conversation.ts";
import type { Exchange } from "../../request/exchange.ts";
import type { Services } from "../../request/services.ts";
import { planTargets } from "../../routing/plan-targets.ts";
import { admit, bearerOrApiKey, requireFunds } from "../../steps/admit.ts";
import { checkCall } from "../../steps/check-call.ts";
import { selectModel } from "../../steps/pay.ts";
import { readBody } from "../../steps/read-body.ts";
import { type CountedCall, countAt } from "./count-call.ts";
import { estimateInputTokens } from "./estimate-tokens.ts";
import { parseMessages } from "./request/parse-messages.ts";

/**
 * POST /messages/count_tokens: returns the number of input tokens, which costs nothing, but needs a balance like the request
 * itself. A target that can count is asked. Without one, if it fails, or if the key has too many such calls, the answer is
 * an estimate.
 * Follows https://platform.claude.com/docs/en/build-with-claude/token-counting
 */
export async function countTokens(services: Services, exchange: Exchange): Promise<GatewayResponse> {
  const admission = await admit(services, exchange, { keyHeaders: bearerOrApiKey, dialect: "messages" });
  const { caller, slot } = admission;
  try {
    const body = await readBody(services, admission);
    const call = await parseMessages(services, admission, body, true);
    const model = selectModel(services, caller, call);
    exchange.report.model = model.id;
    checkCall(caller, call, model);
    await requireFunds(services, caller);
    const counted = await askTarget(services, { exchange, caller, slot, call, model });
    const tokens = counted ?? estimateInputTokens(services.tokens, call.prompt, model, body);
    return jsonResponse(200, exchange.headers, { input_tokens: tokens });
  } finally {
    slot.release();
  }
}

/** Returns undefined if no target can count, or if the one that was asked did not. */
async function askTarget({ health, transport, counting }: Services, counted: CountedCall): Promise<number | undefined> {
  const { targets } = counted.model;
  const { key } = counted.caller;
  const able = targets.filter(({ provider }) => provider.dialects?.countTokens !== undefined);
  const [target] = able.length === 0 ? [] : planTargets(able, health, new RequestPreference(counted), Date.now());
  const method = target?.provider.dialects?.countTokens;
  if (target === undefined || method === undefined || !counting.begin(key.id)) return undefined;
  try {
    return await countAt(target, method, counted, transport);
  } catch {
    return undefined;
  } finally {
    counting.end(key.id);
  }
}
