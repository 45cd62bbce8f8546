import { ProviderError } from "@tollgate/core/provider";

/**
 * The error for a request that the Messages API cannot take. `param` is the path of the member at fault, and `problem`
 * what the client is told of it.
 */
export const rejected = (param: string, problem: string): ProviderError =>
  new ProviderError("rejected", `The Messages API cannot take \`${param}\`. The request has to change.`, {
    param,
    clientMessage: `\`${param}\` ${problem}`,
  });
