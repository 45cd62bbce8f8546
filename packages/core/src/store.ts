export { ChangeListeners } from "./access/change-listeners.ts";
export { type GeneratedKey, type KeyFormatOptions, KeyMaker } from "./access/key-maker.ts";
export { changeKey, presentMembers } from "./access/key-members.ts";
export { keyPlace } from "./access/key-place.ts";
export { endOfGrace, hasEnded, keyState, limitsIdOf, successorOf } from "./access/rotation.ts";
export { groupPlans, type PlanRow, readStoredKey, type StoredKey } from "./access/stored-key.ts";
export {
  dividePieces,
  type Grain,
  prunedKinds,
  startOfBucket,
  type TotalKind,
  totalKinds,
  type UsagePiece,
} from "./events/usage-pieces.ts";
export { dimensionOf } from "./events/usage-row.ts";
export { mergeSummary } from "./events/usage-summary.ts";
export {
  type AttemptCount,
  addRow,
  attemptCounts,
  groupAttempts,
  hasFailed,
  latencyBucket,
  noUsage,
  packedTotals,
  type UsageSum,
  wasRefused,
} from "./events/usage-totals.ts";
export { emptyBalance, sumViolation } from "./memory/memory-accounts.ts";
export { countFitting, firstFitting } from "./memory/pages.ts";
export { checkedWindowSeconds, tokensToTake } from "./memory/token-window.ts";
export { amountToHold, askedAmounts, checkHoldAmounts, leastToHold } from "./money/hold-amount.ts";
export {
  type ChargeColumn,
  type ChargeColumns,
  chargeColumnNames,
  type HoldColumns,
  type ReceiptRow,
  readReceipt,
  toChargeColumns,
  toHoldColumns,
} from "./money/receipt-columns.ts";
export { spendWindowAt, type WindowBounds } from "./money/spend-window.ts";
export { isTimeZone } from "./options/leaves.ts";
export { checkedAmount, checkedWholeNumber } from "./options/problems.ts";
export type { Account, AccountAdmin, AccountPage, SpendQuery } from "./ports/account-admin.ts";
export type { AuditChange, AuditEntry, AuditLog, AuditPage } from "./ports/audit-log.ts";
export type {
  Balance,
  BalanceStore,
  EndResult,
  Entry,
  EntryKind,
  EntryPage,
  EntryQuery,
  FlexibleAmount,
  HoldRequest,
  HoldResult,
  LedgerViolation,
  Posting,
  PostingResult,
  Renewal,
  SpendRefusal,
} from "./ports/balance-store.ts";
export {
  type CheckedPosting,
  checkedAcceptanceQuery,
  checkedAccount,
  checkedAccountQuery,
  checkedEntryQuery,
  checkedId,
  checkedKeyMembers,
  checkedKeyQuery,
  checkedPosting,
} from "./ports/check-arguments.ts";
export { type ClientData, type ClientDataChanges, mergeClientData } from "./ports/client-data.ts";
export type { ContentStore, RequestContentRecord } from "./ports/content-store.ts";
export type {
  AccountPlans,
  IssuedKey,
  KeyAdmin,
  KeyChanges,
  KeyPage,
  KeyQuery,
  KeyState,
  NewKey,
} from "./ports/key-admin.ts";
export type { ApiKey, KeyStore, Limits, WindowLimit } from "./ports/key-store.ts";
export type { Limiter, LimitState, Reservation, ReservationResult, Window } from "./ports/limiter.ts";
export { checkedSpendLimit, checkLimits } from "./ports/limits-schema.ts";
export type { Notice, NoticeOutbox, WaitingNotices } from "./ports/notice-outbox.ts";
export type { ChargeReceipt, HoldReceipt, Receipt, TokenCounts, UnitPrices } from "./ports/receipt.ts";
export type {
  ItemLimits,
  NewResponse,
  ResponseConversation,
  ResponseInput,
  ResponseInputPage,
  ResponseItem,
  ResponseItems,
  ResponseRef,
  ResponseStore,
  SaveResult,
  StoredResponse,
} from "./ports/response-store.ts";
export type { SessionAdmin, SessionOverview } from "./ports/session-admin.ts";
export type {
  CreateResult,
  LogPage,
  MergeResult,
  MessagePage,
  NewSession,
  PageSize,
  Session,
  SessionLimits,
  SessionPage,
  SessionPosition,
  SessionRef,
  SessionStore,
  StoredLog,
  StoredMessage,
  TurnRequest,
  TurnStart,
} from "./ports/session-store.ts";
export type {
  HoldSpend,
  NewSpendLimit,
  NoticeRules,
  SpendLimit,
  SpendScope,
  SpendState,
  SpendWindow,
} from "./ports/spend-limit.ts";
export {
  readAuditEntry,
  readClientData,
  readLog,
  readSpendLimit,
  type StoredAuditEntry,
  writeSpendLimit,
} from "./ports/stored-json.ts";
export type { AcceptancePage, AcceptancePosition, TermsAdmin } from "./ports/terms-admin.ts";
export type { TermsAcceptance, TermsStore, TermsVersion } from "./ports/terms-store.ts";
export {
  latencyBounds,
  type TargetAttempts,
  type TimelineStep,
  type UsageDimension,
  type UsageFilter,
  type UsagePage,
  type UsagePosition,
  type UsageQuery,
  type UsageRow,
  type UsageStore,
  type UsageSummaryRow,
  type UsageTotals,
} from "./ports/usage-store.ts";
export type { LoggedAttempt, LoggedVariable, VariableSource, WebhookLog } from "./ports/webhook-log.ts";
export { type NoticeRow, readNotice } from "./stored-rows.ts";
export { toStorableText } from "./wire/bytes.ts";
export type { ChatMessage } from "./wire/chat-completion-request.ts";
export { type Dialect, dialects } from "./wire/dialect.ts";
export { type Feature, features, isFeature } from "./wire/feature.ts";
export type { Json } from "./wire/json.ts";
export { parseLosslessJson, writeLosslessJson } from "./wire/lossless-json.ts";
