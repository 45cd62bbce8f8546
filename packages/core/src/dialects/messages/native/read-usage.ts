import { isJsonObject } from "../../../wire/json.ts";
import { fromMessagesUsage } from "../../../wire/messages-usage.ts";
import { readUsage, type Usage } from "../../../wire/usage.ts";

/** Reads the usage of an answer of the Messages API. Returns undefined if a count is missing or invalid. */
export const readMessagesUsage = (reported: unknown): Usage | undefined =>
  isJsonObject(reported) ? readUsage(fromMessagesUsage(reported)) : undefined;
