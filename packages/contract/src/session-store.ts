import type { SessionStore } from "@tollgate/core/store";
import { accountCases } from "./session-store/accounts.ts";
import { deleteSessions, type SessionContext, sessionContext } from "./session-store/context.ts";
import { createCases } from "./session-store/create.ts";
import { expiryCases } from "./session-store/expiry.ts";
import { historyCases } from "./session-store/history.ts";
import { leaseCases } from "./session-store/leases.ts";
import { limitCases } from "./session-store/limits.ts";
import { listCases } from "./session-store/list.ts";
import { logCases } from "./session-store/logs.ts";
import { mergeCases } from "./session-store/merge.ts";
import { messageCases } from "./session-store/messages.ts";
import { pageByteCases } from "./session-store/page-bytes.ts";
import { raceCases } from "./session-store/races.ts";
import { removalCases } from "./session-store/removal.ts";
import { turnCases } from "./session-store/turns.ts";
import { valueCases } from "./session-store/values.ts";
import { type Cases, runSuite, type SuiteOptions } from "./suite.ts";

/**
 * The suite for every SessionStore. Each case uses sessions of a new account and deletes them at its end. Cases that
 * depend on time first wait for tens of milliseconds, and longer when the machine is slow. One case waits for 2 s.
 */
export function sessionStoreContract(options: SuiteOptions<SessionStore>): void {
  const groups: Readonly<Record<string, Cases<SessionContext>>> = {
    "create and find": createCases,
    merge: mergeCases,
    turns: turnCases,
    leases: leaseCases,
    history: historyCases,
    messages: messageCases,
    logs: logCases,
    list: listCases,
    bytes: pageByteCases,
    limits: limitCases,
    values: valueCases,
    accounts: accountCases,
    delete: removalCases,
    expiry: expiryCases,
    races: raceCases,
  };
  runSuite(options, "SessionStore", groups, async (opened, check) => {
    const context = sessionContext(opened);
    try {
      await check(context);
    } finally {
      await deleteSessions(context);
    }
  });
}
