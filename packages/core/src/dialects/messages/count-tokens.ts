import { type GatewayResponse, jsonResponse } from "../../ports/gateway-response.ts";
import { RequestPreference } from "../../request/conversation.ts";
import type { Checked, RequestContext } from "../../request/request-stages.ts";
import type { Services } from "../../request/services.ts";
import { planTargets } from "../../routing/plan-targets.ts";
import { admit } from "../../steps/admit.ts";
import { checkFeatures, checkParameters } from "../../steps/check-request.ts";
import { selectModel } from "../../steps/prepare-and-hold.ts";
import { readBody } from "../../steps/read-body.ts";
import { requireFunds } from "../../steps/require-funds.ts";
import { countAt } from "./count-call.ts";
import { estimateInputTokens } from "./estimate-tokens.ts";
import { messagesCodec } from "./messages-codec.ts";
import { parseMessages } from "./request/parse-messages.ts";

/**
 * POST /messages/count_tokens: returns the number of input tokens, which costs nothing, but needs a balance like the request
 * itself. A target that can count is asked. Without one, if it fails, or if the key has too many such calls, the answer is
 * an estimate.
 * Follows https://platform.claude.com/docs/en/build-with-claude/token-counting
 */
export async function countTokens(services: Services, context: RequestContext): Promise<GatewayResponse> {
  const admitted = await admit(services, context, messagesCodec);
  try {
    const withBody = await readBody(services, admitted);
    const parsed = await parseMessages(services, withBody, true);
    const checked = checkParameters(checkFeatures(selectModel(services, parsed)));
    await requireFunds(services, checked);
    const counted = await askTarget(services, checked);
    const tokens = counted ?? estimateInputTokens(services.tokens, checked, withBody.body);
    return jsonResponse(200, admitted.meta.headers, { input_tokens: tokens });
  } finally {
    admitted.run.end();
  }
}

/** Returns undefined if no target can count, or if the one that was asked did not. */
async function askTarget({ health, transport, counting }: Services, checked: Checked): Promise<number | undefined> {
  const { targets } = checked.model;
  const able = targets.filter(({ provider }) => provider.dialects?.countTokens !== undefined);
  const [target] = able.length === 0 ? [] : planTargets(able, health, new RequestPreference(checked), Date.now());
  const method = target?.provider.dialects?.countTokens;
  if (target === undefined || method === undefined || !counting.begin(checked.key.id)) return undefined;
  try {
    return await countAt(target, method, checked, transport);
  } catch {
    return undefined;
  } finally {
    counting.end(checked.key.id);
  }
}
