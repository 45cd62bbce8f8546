import type { ResponseStore } from "@tollgate/core/store";
import { accountCases } from "./response-store/accounts.ts";
import { deleteResponses, type ResponseContext, responseContext } from "./response-store/context.ts";
import { conversationCases } from "./response-store/conversation.ts";
import { expiryCases } from "./response-store/expiry.ts";
import { forgettingCases } from "./response-store/forgetting.ts";
import { inputCases } from "./response-store/input.ts";
import { itemCases } from "./response-store/items.ts";
import { limitCases } from "./response-store/limits.ts";
import { raceCases } from "./response-store/races.ts";
import { removalCases } from "./response-store/removal.ts";
import { saveCases } from "./response-store/save.ts";
import { type Cases, runSuite, type SuiteOptions } from "./suite.ts";

/**
 * The suite for every ResponseStore. Each case uses responses of a new account and deletes them at its end. Cases that
 * depend on time first wait for tens of milliseconds, and longer when the machine is slow.
 */
export function responseStoreContract(options: SuiteOptions<ResponseStore>): void {
  const groups: Readonly<Record<string, Cases<ResponseContext>>> = {
    "save and find": saveCases,
    conversation: conversationCases,
    input: inputCases,
    items: itemCases,
    limits: limitCases,
    accounts: accountCases,
    delete: removalCases,
    "list and forget": forgettingCases,
    expiry: expiryCases,
    races: raceCases,
  };
  runSuite(options, "ResponseStore", groups, async (opened, check) => {
    const context = responseContext(opened);
    try {
      await check(context);
    } finally {
      await deleteResponses(context);
    }
  });
}
