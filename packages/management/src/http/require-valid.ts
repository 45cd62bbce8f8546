import { GatewayError } from "@tollgate/core";
import * as v from "valibot";

/** Returns a value as its schema transforms it. Throws 400 that names the first invalid member; `whole` names the value, such as "The query". */
export function requireValid<Output>(schema: v.GenericSchema<unknown, Output>, value: unknown, whole: string): Output {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  // A misspelt member is also missing. Its own name helps more.
  const issue = result.issues.find(({ expected }) => expected === "never") ?? result.issues[0];
  const param = v.getDotPath(issue) ?? undefined;
  const sentence = /[.?]$/.test(issue.message) ? issue.message : `${issue.message}.`;
  if (param === undefined) throw new GatewayError("invalid_request", `${whole} ${sentence}`);
  throw new GatewayError("invalid_request", `\`${param}\` ${sentence}`, { param });
}
