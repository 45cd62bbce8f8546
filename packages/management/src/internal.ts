// What the dashboard, the portal and the command line share with this package. It may change in any release.

export { assembleManagement } from "./assemble-management.ts";
export { identifyOperator } from "./authorization/authorize.ts";
export { PulledStream } from "./exports/pulled-stream.ts";
export { decodeId } from "./http/respond-as-operator.ts";
export { type ManagementRoute, routeOf } from "./http/route.ts";
export { managementEndpoints } from "./management.ts";
export type { ManagementServices, OperationServices } from "./operations/context.ts";
export {
  commonOptions,
  gatewayOption,
  operationServices,
  originsOption,
  storeOptions,
} from "./operations/operation-services.ts";
export { acceptBarePrefix } from "./page/accept-bare-prefix.ts";
export { answerPage } from "./page/answer-page.ts";
export { type BuiltPage, pageHeaders, pageRoutes, servePage, slashRedirect } from "./page/serve-page.ts";

// What the portal makes its own operations of.

export { requireStore } from "./operations/context.ts";
export type { ExportOperation } from "./operations/exports.ts";
export { defineList, defineReport, sequencePosition, textPosition, timePosition } from "./operations/lists.ts";
export { defineChange, defineOperation, type OperationHead, type Route } from "./operations/operation.ts";
export { readPlanSpend } from "./resources/accounts/read-accounts.ts";
export { keyAnswer } from "./resources/keys/read-keys.ts";
export { chargeAnswer, entryAnswer, receiptAnswer } from "./resources/ledger.ts";
export { servedBy } from "./resources/me.ts";
export { planAnswer } from "./resources/plans.ts";
export { listRequests, requestAnswer, showRequest } from "./resources/requests.ts";
export { reportUsage, usageAnswer } from "./resources/usage.ts";
export { type Answer, answerFrom, orNull } from "./schemas/answer.ts";
export { amountText, shownTime, timeText } from "./schemas/answers.ts";
export { limitsAnswer, spend, spendAnswer, spendingAnswer, spendingOf } from "./schemas/limits.ts";
export { members, optionalEntries, text, time, wholeNumber } from "./schemas/values.ts";
