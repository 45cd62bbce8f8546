import { isJsonObject } from "../../../wire/json.ts";
import { fromMessagesUsage } from "../../../wire/messages-usage.ts";
import { type PartialUsage, readImpossibleUsage, readUsage, type Usage } from "../../../wire/usage.ts";

/** Reads the usage of an answer of the Messages API. Returns undefined if a count is missing or invalid. */
export function readMessagesUsage(reported: unknown): Usage | PartialUsage | undefined {
  const usage = isJsonObject(reported) ? fromMessagesUsage(reported) : undefined;
  return readUsage(usage) ?? readImpossibleUsage(usage);
}
