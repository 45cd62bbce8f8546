import type { SpendWindow } from "@tollgate/core/store";
import { checkedSpendLimit } from "@tollgate/core/store";
import { misread, oneOf, type Reader } from "./text.ts";

/** Reads the window of a spend limit. */
export const readSpendWindow: Reader<SpendWindow> = oneOf("--spend-window", ["day", "week", "month", "total"]);

/** Reads an IANA time zone. */
export const readTimeZone: Reader<string> = (text) => {
  try {
    checkedSpendLimit({ limit: 0n, window: "day", timezone: text });
    return text;
  } catch {
    throw misread("--spend-timezone", text, "write an IANA time zone, such as Europe/Berlin");
  }
};
