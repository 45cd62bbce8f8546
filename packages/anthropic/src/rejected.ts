import { ProviderError } from "@tollgate/core/provider";

/**
 * Creates the error for a request that the Messages API does not support. `param` is the path of the invalid member, and
 * `problem` completes the message to the client, which begins with that path.
 */
export const rejected = (param: string, problem: string): ProviderError =>
  new ProviderError(
    "rejected",
    `The Messages API does not accept \`${param}\` of this request. The client has to change it.`,
    {
      param,
      clientMessage: `\`${param}\` ${problem}`,
    },
  );
