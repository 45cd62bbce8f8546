export type { Authorize, Operator, OperatorRequest, Role } from "./management/authorize.ts";
export { type ManagementOptions, management } from "./management/management.ts";
