import { GatewayError } from "@tollgate/core";
import { type ClientRequest, requestUrl, requireValid } from "@tollgate/core/internal";
import type * as v from "valibot";
import type { QueryOf } from "../operations/operation.ts";
import { members } from "../schemas/values.ts";

/** Reads the query of a request. `others` are known names that are read elsewhere. Throws 400 for an unknown or invalid member. */
export function readQuery<Query extends v.ObjectEntries>(
  parameters: Readonly<Record<string, string>>,
  query: Query,
  others: readonly string[] = [],
): QueryOf<Query> {
  return requireValid(members("the query", query, others), parameters, "The query");
}

/** Returns the parameters of the URL as they are. Throws 400 for one that occurs twice. */
export function parametersOf(request: ClientRequest): Readonly<Record<string, string>> {
  const parameters = new Map<string, string>();
  for (const [name, value] of requestUrl(request).searchParams) {
    if (parameters.has(name)) {
      throw new GatewayError("invalid_request", `\`${name}\` occurs more than once. Send it once.`, { param: name });
    }
    parameters.set(name, value);
  }
  return Object.fromEntries(parameters);
}
