export { ChangeListeners } from "./keys/change-listeners.ts";
export { type GeneratedKey, type KeyFormatOptions, KeyMaker } from "./keys/key-maker.ts";
export { keyPlace } from "./keys/key-place.ts";
export { endOfGrace, hasEnded } from "./keys/rotation.ts";
export { readStoredKey, type StoredKey } from "./keys/stored-key.ts";
export { countFitting, firstFitting } from "./memory/fitting.ts";
export { checkedWindowSeconds } from "./memory/memory-limiter.ts";
export { sumViolation } from "./memory/verify-memory-ledger.ts";
export { checkedAmount, checkedWholeNumber } from "./money/cost.ts";
export { emptyBalance } from "./money/empty-balance.ts";
export type {
  Balance,
  BalanceStore,
  EndResult,
  Entry,
  EntryKind,
  EntryPage,
  HoldRequest,
  HoldResult,
  LedgerViolation,
  Posting,
  PostingResult,
  Renewal,
} from "./ports/balance-store.ts";
export { checkLimits } from "./ports/check-limits.ts";
export { type ClientData, type ClientDataChanges, mergeClientData } from "./ports/client-data.ts";
export type { IssuedKey, KeyAdmin, KeyPage, NewKey } from "./ports/key-admin.ts";
export type { ApiKey, KeyStore, Limits, WindowLimit } from "./ports/key-store.ts";
export type { Limiter, LimitState, Reservation, ReservationResult, Window } from "./ports/limiter.ts";
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
export { readClientData, readLog } from "./ports/stored-json.ts";
export type { TermsAcceptance, TermsStore, TermsVersion } from "./ports/terms-store.ts";
export type { LoggedAttempt, LoggedVariable, VariableSource, WebhookLog } from "./ports/webhook-log.ts";
export type { ChatMessage } from "./wire/chat-completion-request.ts";
export { writeExactJson } from "./wire/exact-json.ts";
export { type Feature, features, isFeature } from "./wire/feature.ts";
export type { Json } from "./wire/json.ts";
