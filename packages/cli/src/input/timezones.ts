import { isTimeZone } from "@tollgate/core/store";
import { misread, type Reader } from "./text.ts";

/** Reads an IANA time zone. */
export const readTimezone =
  (name: string): Reader<string> =>
  (text) => {
    if (isTimeZone(text)) return text;
    throw misread(name, text, "write an IANA time zone such as Europe/Berlin");
  };
