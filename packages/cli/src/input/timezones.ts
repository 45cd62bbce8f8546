import { misread, type Reader } from "./text.ts";

/** Reads an IANA time zone. */
export const readTimezone =
  (name: string): Reader<string> =>
  (text) => {
    if (isTimezone(text)) return text;
    throw misread(name, text, "write an IANA time zone such as Europe/Berlin");
  };

function isTimezone(text: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: text });
    return true;
  } catch {
    return false;
  }
}
