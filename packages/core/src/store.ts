export { ChangeListeners } from "./access/change-listeners.ts";
export { keyLocation } from "./access/key-location.ts";
export { type GeneratedKey, type KeyFormatOptions, KeyMaker } from "./access/key-maker.ts";
export { changeKey, presentMembers } from "./access/key-members.ts";
export { endOfGrace, hasEnded, keyState, limitsIdOf, successorOf } from "./access/rotation.ts";
export { groupPlans, type PlanRow, readStoredKey, type StoredKey } from "./access/stored-key.ts";
export {
  accountTotalKinds,
  dividePieces,
  type Grain,
  prunedKinds,
  startOfBucket,
  type TotalKind,
  totalKinds,
  type UsagePiece,
} from "./events/usage-pieces.ts";
export { dimensionOf, groupsOf } from "./events/usage-row.ts";
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
export { emptyBalance } from "./memory/memory-accounts.ts";
export { countFitting, firstFitting } from "./memory/pages.ts";
export { checkedWindowSeconds, tokensToTake } from "./memory/token-window.ts";
export { expiryNoticeMs, outboxLagMs, outboxReadMs, unnoticedLot } from "./money/account-notices.ts";
export { type Grant, grantAt, grantReason, maxExpiring, withGrant } from "./money/allowance.ts";
export { forgottenDescription } from "./money/forgotten-charges.ts";
export { amountToHold, askedAmounts, checkHoldAmounts, leastToHold, spendSubject } from "./money/hold-amount.ts";
export { keyViolation, lotSumViolation, lotViolation, sumViolation } from "./money/ledger-violations.ts";
export {
  amountToLapse,
  compareLots,
  type Lot,
  paidLeft,
  type Return,
  returnToLots,
  roomForLots,
  shareOf,
  takeFromLots,
} from "./money/lots.ts";
export {
  type ChargeColumn,
  type ChargeColumns,
  chargeColumnNames,
  type HoldColumns,
  holdColumnNames,
  type ReceiptRow,
  readReceipt,
  toChargeColumns,
  toHoldColumns,
} from "./money/receipt-columns.ts";
export { spendWindowAt, type WindowBounds } from "./money/spend-window.ts";
export { isTimeZone } from "./options/leaves.ts";
export { checkedAmount, checkedWholeNumber } from "./options/problems.ts";
export type { AccountAdmin, AccountPage } from "./ports/account-admin.ts";
export type { AuditChange, AuditEntry, AuditLog, AuditPage } from "./ports/audit-log.ts";
export type {
  Account,
  AccountBalance,
  Allowance,
  Balance,
  BalanceStore,
  Credit,
  Debit,
  EndResult,
  ExpiringAmount,
  FlexibleAmount,
  Freeze,
  HoldReference,
  HoldRequest,
  HoldResult,
  LedgerViolation,
  Posting,
  PostingResult,
  Refund,
  RefundResult,
  Renewal,
  SpendRefusal,
} from "./ports/balance-store.ts";
export {
  type CheckedCredit,
  type CheckedDebit,
  type CheckedRefund,
  checkedAcceptanceQuery,
  checkedAccount,
  checkedAccountQuery,
  checkedAllowance,
  checkedCredit,
  checkedDebit,
  checkedEntryQuery,
  checkedId,
  checkedKeyMembers,
  checkedKeyQuery,
  checkedReason,
  checkedRefund,
  makesLot,
} from "./ports/check-arguments.ts";
export { type ClientData, type ClientDataChanges, mergeClientData } from "./ports/client-data.ts";
export type { ContentPage, ContentStore, RequestContentRecord } from "./ports/content-store.ts";
export type { EntryFeed } from "./ports/entry-feed.ts";
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
export {
  type ApiKey,
  type KeyScope,
  type KeyStore,
  keyScopes,
  type Limits,
  type WindowLimit,
} from "./ports/key-store.ts";
export type { Entry, EntryKind, EntryPage, EntryQuery, LotShare, MoneyKind } from "./ports/ledger-entry.ts";
export { entryKinds, moneyKinds } from "./ports/ledger-entry.ts";
export type { Limiter, LimitState, Reservation, ReservationResult, Window } from "./ports/limiter.ts";
export { checkedSpendLimit, checkLimits } from "./ports/limits-schema.ts";
export type { AccountNotice, Notice, NoticeOutbox, WaitingNotices } from "./ports/notice-outbox.ts";
export type {
  ChargeReceipt,
  HoldReceipt,
  HostHoldReceipt,
  ModelHoldReceipt,
  Receipt,
  TokenCounts,
  UnitPrices,
} from "./ports/receipt.ts";
export type {
  ItemLimits,
  NewResponse,
  ResponseConversation,
  ResponseInput,
  ResponseInputPage,
  ResponseItem,
  ResponseItems,
  ResponsePage,
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
  SpendQuery,
  SpendScope,
  SpendState,
  SpendWindow,
  TokenCap,
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
  type ForgottenUsage,
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
export { type NoticeRow, noticeTypes, readNotice } from "./stored-notice.ts";
export { toStorableText } from "./wire/bytes.ts";
export type { ChatMessage } from "./wire/chat-completion-request.ts";
export { type Dialect, dialects } from "./wire/dialect.ts";
export { type Feature, features, isFeature } from "./wire/feature.ts";
export type { Json } from "./wire/json.ts";
export { parseLosslessJson, writeLosslessJson } from "./wire/lossless-json.ts";
