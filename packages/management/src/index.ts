export type { Authorize, Operator, OperatorRequest, Role } from "./authorization/authorize.ts";
export { type BasicLoginOptions, basicLogin } from "./authorization/basic-login.ts";
export { type ManagementToken, managementTokens } from "./authorization/management-tokens.ts";
export type { ManagedGateway } from "./managed-gateway.ts";
export { management } from "./management.ts";
export type { ManagementOptions } from "./management-options.ts";
export type { ManagementStores } from "./operations/context.ts";
