import { isJsonMembers, isJsonObject } from "../wire/json.ts";
import { parseLosslessJson } from "../wire/lossless-json.ts";
import type { ClientData } from "./client-data.ts";
import type { WebhookLog } from "./webhook-log.ts";

/** Parses client data that a store wrote with `writeLosslessJson`. Throws for other text. */
export function readClientData(text: string): ClientData {
  const value = parseLosslessJson(text);
  if (isJsonMembers(value)) return value;
  throw new TypeError("The stored client data is not a JSON object. Repair or delete the session.");
}

/** Parses a log that a store wrote with `writeLosslessJson`. Throws for other text. */
export function readLog(text: string): WebhookLog {
  const value: unknown = parseLosslessJson(text);
  if (isLog(value)) return value;
  throw new TypeError("The stored webhook log is not one that the gateway wrote. Repair or delete the session.");
}

const isLog = (value: unknown): value is WebhookLog => isJsonObject(value) && typeof value["id"] === "string";
