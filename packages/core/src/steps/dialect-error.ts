import { GatewayError } from "../errors/gateway-error.ts";
import type { Authenticated } from "../request/request-stages.ts";
import { type Dialect, dialectEndpoints, dialects } from "../wire/dialect.ts";

/** The 403 for a dialect that the key or its plan does not have. It lists what the key may call. */
export function dialectError({ key, plan }: Pick<Authenticated, "key" | "plan">, dialect: Dialect): GatewayError {
  const scope = key.dialects?.includes(dialect) === false ? "key" : "plan";
  const usable = dialects.filter((each) => plan.allowsDialect(key, each)).map(callOf);
  const others = usable.length === 0 ? "" : ` This key may call ${usable.join(" or ")}.`;
  return new GatewayError(
    "feature_not_available",
    `The dialect \`${dialect}\` (${callOf(dialect)}) is not available on this ${scope}. Use a key that has it.${others}`,
    { metadata: { scope, dialect } },
  );
}

const callOf = (dialect: Dialect): string => `POST ${dialectEndpoints[dialect].path}`;
