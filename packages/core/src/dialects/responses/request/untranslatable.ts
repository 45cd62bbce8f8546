import { GatewayError } from "../../../errors/gateway-error.ts";

/** The error for a member that only targets with the Responses API understand. `param` is its dot path. */
export const untranslatable = (param: string, what = ""): GatewayError =>
  new GatewayError(
    "unsupported_parameter",
    `\`${param}\`${what} is not supported by this model, which is not reached through the Responses API. Leave it out.`,
    { param },
  );
