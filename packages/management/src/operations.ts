// The operations, for programs of this workspace that call them in process. It may change in any release.

export type { OperationTable } from "./operation-table.ts";
export { type ManagementStores, type OperationContext, requireStore } from "./operations/context.ts";
export type { ExportOperation } from "./operations/exports.ts";
export { type HeadOf, type ItemOf, type ListOperation, pagesOf, type ReportOperation } from "./operations/lists.ts";
export type { AnswerOf, BodyOf, Operation, OperationHead, Route } from "./operations/operation.ts";
export { auditedAs } from "./operations/operation.ts";
export { accountBalanceAnswer, balanceAnswer } from "./resources/accounts/balance-answers.ts";
export { acceptTerms, changeLimit } from "./resources/accounts/change-accounts.ts";
export { exportAccount } from "./resources/accounts/export-account.ts";
export { forgetAccount } from "./resources/accounts/forget-account.ts";
export { freezeAccount, thawAccount } from "./resources/accounts/freeze-account.ts";
export { creditAccount, debitAccount } from "./resources/accounts/post-money.ts";
export { isNewAccount, listAccounts, type ShownAccount } from "./resources/accounts/read-accounts.ts";
export { refundCharge } from "./resources/accounts/refund-charge.ts";
export { listAudit } from "./resources/audit.ts";
export {
  conversationAnswer,
  listConversations,
  listLogs,
  listMessages,
  readConversations,
  showConversation,
} from "./resources/conversations.ts";
export { createKey, revokeKey, rotateKey, updateKey } from "./resources/keys/change-keys.ts";
export { findKey, keyStates, listKeys, type ShownKey, showKey } from "./resources/keys/read-keys.ts";
export type { ShownEntry } from "./resources/ledger.ts";
export { listEntries, readEntries, verifyLedger } from "./resources/ledger.ts";
export type { ShownRequest } from "./resources/requests.ts";
export { listRequests } from "./resources/requests.ts";
export { listAcceptances } from "./resources/terms.ts";
export {
  type Period,
  periodOf,
  reportUsage,
  type UsageSums,
  usageBuckets,
  usageDimensions,
} from "./resources/usage.ts";
export { type showWhatIf, whatIf, whatIfAnswer } from "./resources/what-if.ts";
export type { Answer } from "./schemas/answer.ts";
export { camelCase } from "./schemas/camel-case.ts";
export { spendAnswer, spendingAnswer, spendingOf, spendWindows } from "./schemas/limits.ts";
