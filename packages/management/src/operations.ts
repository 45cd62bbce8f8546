// The operations, for programs of this workspace that call them in process. It may change in any release.

export { type ManagementStores, type OperationContext, requireStore } from "./operations/context.ts";
export { type ItemOf, pagesOf } from "./operations/lists.ts";
export type { AnswerOf, BodyOf } from "./operations/operation.ts";
export {
  acceptTerms,
  changeLimit,
  creditAccount,
  debitAccount,
} from "./resources/accounts/change-accounts.ts";
export { isNewAccount } from "./resources/accounts/find-accounts.ts";
// For the types of their answers.
export type { showAccount } from "./resources/accounts/read-accounts.ts";
export { listAccounts } from "./resources/accounts/read-accounts.ts";
export { type ShownAccount, shownBalance } from "./resources/accounts/shown-account.ts";
export type { dryRunTrigger } from "./resources/assistants/dry-run-trigger.ts";
export type { listAssistants } from "./resources/assistants/list-assistants.ts";
export { listAudit } from "./resources/audit.ts";
export {
  listConversations,
  listLogs,
  listMessages,
  readConversations,
  showConversation,
  shownConversation,
} from "./resources/conversations.ts";
export type { showHealth } from "./resources/health.ts";
export { createKey, revokeKey, rotateKey, updateKey } from "./resources/keys/change-keys.ts";
export type { showKey } from "./resources/keys/read-keys.ts";
export { findKey, listKeys } from "./resources/keys/read-keys.ts";
export { keyAnswer, type ShownKey } from "./resources/keys/shown-key.ts";
export { listEntries, readEntries, verifyLedger } from "./resources/ledger/read-ledger.ts";
export type { ShownEntry } from "./resources/ledger/shown-entry.ts";
export type { showMe } from "./resources/me.ts";
export type { listModels } from "./resources/models.ts";
export type { listPlans } from "./resources/plans.ts";
export type { showRequest } from "./resources/requests/read-requests.ts";
export { listRequests } from "./resources/requests/read-requests.ts";
export type { ShownRequest } from "./resources/requests/shown-request.ts";
export type { listTerms } from "./resources/terms.ts";
export { listAcceptances } from "./resources/terms.ts";
export { reportUsage, type UsageSums, usageBuckets, usageDimensions } from "./resources/usage/report-usage.ts";
export { camelCase } from "./schemas/camel-case.ts";
export { shownSpend } from "./schemas/limits.ts";
export { shownSpendState, spendStateAnswer } from "./schemas/spend-state.ts";
