export type { ManagementOptions } from "./assemble-management.ts";
export type { Authorize, Operator, OperatorRequest, Role } from "./authorization/authorize.ts";
export { type BasicLoginOptions, basicLogin } from "./authorization/basic-login.ts";
export { type ManagementToken, managementTokens } from "./authorization/management-tokens.ts";
export { management } from "./management.ts";
export type { ManagedGateway, ManagementStores } from "./operations/context.ts";
export type { MethodRecord, PaymentRecord, PaymentRecords, TopUpRecord } from "./operations/payment-records.ts";
