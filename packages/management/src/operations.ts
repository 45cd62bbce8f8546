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
// For the types of their answers.
export type { showAccount } from "./resources/accounts/read-accounts.ts";
export { isNewAccount, listAccounts, type ShownAccount, shownBalance } from "./resources/accounts/read-accounts.ts";
export type { dryRunTrigger, listAssistants } from "./resources/assistants.ts";
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
export { findKey, keyAnswer, listKeys, type ShownKey } from "./resources/keys/read-keys.ts";
export type { ShownEntry } from "./resources/ledger.ts";
export { listEntries, readEntries, verifyLedger } from "./resources/ledger.ts";
export type { showMe } from "./resources/me.ts";
export type { listModels } from "./resources/models.ts";
export type { listPlans } from "./resources/plans.ts";
export type { ShownRequest, showRequest } from "./resources/requests.ts";
export { listRequests } from "./resources/requests.ts";
export type { listTerms } from "./resources/terms.ts";
export { listAcceptances } from "./resources/terms.ts";
export { reportUsage, type UsageSums, usageBuckets, usageDimensions } from "./resources/usage.ts";
export { camelCase } from "./schemas/camel-case.ts";
export { shownSpend, shownSpendState, spendStateAnswer } from "./schemas/limits.ts";
