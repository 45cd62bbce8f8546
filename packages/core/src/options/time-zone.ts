import * as v from "valibot";
import { wanted } from "./leaves.ts";

/** The name of an IANA time zone. */
export const timeZone = v.custom<string>(isTimeZone, wanted('must be an IANA time zone, such as "Europe/Berlin"'));

/** True for the name of an IANA time zone that the runtime knows, such as "Europe/Berlin" or "UTC". An offset is not a name. */
export function isTimeZone(value: unknown): boolean {
  if (typeof value !== "string" || !/^[A-Za-z]/.test(value)) return false;
  try {
    // The only way of the language to look up a zone: it throws a RangeError for one that it does not know.
    new Intl.DateTimeFormat("en", { timeZone: value });
    return true;
  } catch {
    return false;
  }
}
