// What the packages of this workspace share among themselves. It may change in any release.

export { digestKey } from "./access/key-cache.ts";
export { AttemptThrottle, clientNetwork } from "./access/limits/attempt-throttle.ts";
export { shielded } from "./events/shielded.ts";
export { kindName } from "./events/usage-pieces.ts";
export { topOf } from "./events/usage-summary.ts";
export type { CorsPolicy } from "./http/cors.ts";
export { type HostRequest, hostRequest, isHostResponse, toGatewayResponse } from "./http/host-login.ts";
export { type EndpointHandler, type MountServices, mount, type Route, routeTable } from "./http/mount.ts";
export { readJsonBody, requireValid } from "./http/read-json-body.ts";
export { requestUrl } from "./http/request-url.ts";
export { requireSameOrigin } from "./http/same-origin.ts";
export { toWebContent } from "./http/to-response.ts";
export { balanceOf } from "./memory/memory-accounts.ts";
export { exceededLimit } from "./memory/memory-session-store.ts";
export { nextOf } from "./memory/pages.ts";
export { tierOf, tokensAmount } from "./money/cost.ts";
export { keepCapMs, limitsOf } from "./money/hold-amount.ts";
export { arrayOf, decimal, filledText, functionValue, oneOf, port, wanted, wholeNumber } from "./options/leaves.ts";
export { optionMembers, unknownMember } from "./options/members.ts";
export { nearest } from "./options/nearest.ts";
export { isPromise, requireOptions } from "./options/problems.ts";
export { requireKnown, requireMethods } from "./options/require-known.ts";
export { callStoreWithTimeout } from "./ports/call-store-with-timeout.ts";
export type { BodyReceiver, BodySource, ClientRequest, ClientSignal } from "./ports/client-request.ts";
export {
  type GatewayResponse,
  isResponseStream,
  jsonTextResponse,
  type ResponseStream,
  type UnreadResponses,
} from "./ports/gateway-response.ts";
export { moneyKinds } from "./ports/ledger-entry.ts";
export { checkModels } from "./ports/model-schema.ts";
export { checkedPrices } from "./ports/price-schema.ts";
export { spendWindows } from "./ports/spend-limit.ts";
export { maxAnswerBytes } from "./providers/byte-streams.ts";
export type { Exchange } from "./request/exchange.ts";
export { listAt, readPrice } from "./routing/price.ts";
export { atMost } from "./runtime/at-most.ts";
export { type Awaitable, isPromiseLike } from "./runtime/awaitable.ts";
export { IndexedSet, type Listed, SharedTicker } from "./runtime/shared-ticker.ts";
export { nextTurn } from "./runtime/timers.ts";
export { parseJsonLossless } from "./steps/parse-request.ts";
export { type BodyServices, readUncountedBody } from "./steps/read-body.ts";
export {
  readAccountRow,
  readAuditRow,
  readEntryRow,
  readKeyRow,
  readResponseRow,
  readSessionRow,
  readUsageRow,
  type StoredRow,
  usageColumns,
  writeLots,
} from "./stored-rows.ts";
export { TextRow } from "./text-row.ts";
export { compareBytes, encodeUtf8 } from "./wire/bytes.ts";
export type { ChatParameters } from "./wire/chat-completion-request.ts";
export { streamOf } from "./wire/completion-chunks.ts";
export { csvLine } from "./wire/csv.ts";
export { dialectEndpoints } from "./wire/dialect.ts";
export { readDataUrl } from "./wire/file-part.ts";
export { turnOffShortcuts } from "./wire/forwarding/rewrite-request.ts";
export { isHeaderName, reservedHeader } from "./wire/header-name.ts";
export { isJsonObject, isPlainObject, tryParseJson } from "./wire/json.ts";
export { tryParseLosslessJson } from "./wire/lossless-json.ts";
export { newCallId, readArguments, signatureMembers, signatureOf } from "./wire/tool-calls.ts";
