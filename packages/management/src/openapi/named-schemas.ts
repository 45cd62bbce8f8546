import * as v from "valibot";
import { accountAnswer, balanceAnswer } from "../resources/accounts/shown-account.ts";
import { assistantAnswer } from "../resources/assistants/list-assistants.ts";
import { keyAnswer } from "../resources/keys/shown-key.ts";
import { entryAnswer, receiptAnswer } from "../resources/ledger/shown-entry.ts";
import { modelAnswer } from "../resources/models.ts";
import { requestAnswer } from "../resources/requests/shown-request.ts";
import { usageAnswer } from "../resources/usage/report-usage.ts";
import { pricesAnswer, tokensAnswer } from "../schemas/answers.ts";
import { limitsAnswer, spendAnswer } from "../schemas/limits.ts";

/** The schemas that have a name in OpenAPI, so that generated clients have a type of that name. */
export const namedSchemas = {
  Account: accountAnswer,
  Assistant: assistantAnswer,
  Balance: balanceAnswer,
  Entry: entryAnswer,
  Error: v.strictObject({
    error: v.object({
      message: v.string(),
      type: v.string(),
      code: v.string(),
      param: v.exactOptional(v.string()),
    }),
  }),
  Key: keyAnswer,
  Limits: limitsAnswer,
  Model: modelAnswer,
  Prices: pricesAnswer,
  Receipt: receiptAnswer,
  Request: requestAnswer,
  Spend: spendAnswer,
  Tokens: tokensAnswer,
  Usage: usageAnswer,
};
