export { dashboard } from "./dashboard.ts";
export type { Authorize, Operator, OperatorRequest, Role } from "./management/authorization/authorize.ts";
export { type BasicLoginOptions, basicLogin } from "./management/authorization/basic-login.ts";
export { type ManagementToken, managementTokens } from "./management/authorization/management-tokens.ts";
export { management } from "./management/management.ts";
export type { ManagementOptions } from "./management/management-options.ts";
export type { ManagedGateway } from "./management/services.ts";
export type { ManagementStores } from "./management/stores.ts";
