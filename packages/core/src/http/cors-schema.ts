import * as v from "valibot";
import { functionValue, wanted, wholeNumber } from "../options/leaves.ts";
import { optionMembers } from "../options/members.ts";

/** RFC 6454, section 6.2, and the schemes of apps, such as capacitor://localhost. */
const originForm = /^[a-z][a-z0-9+.-]*:\/\/[^/?#\s*A-Z]+$/;

const origin = v.custom<string>(
  (value) => typeof value === "string" && originForm.test(value),
  wanted('must be an origin as browsers send it, in lower case and without a path, such as "https://app.example"'),
);

const all = v.literal(
  "*",
  wanted('must be a list such as ["https://app.example"], a function of an origin, or "*" for all'),
);

const predicate = functionValue<(origin: string) => boolean>("Give (origin) => boolean.");

const origins = v.lazy((value): v.GenericSchema<unknown, "*" | readonly string[] | ((origin: string) => boolean)> => {
  if (typeof value === "function") return predicate;
  return Array.isArray(value) ? v.array(origin) : all;
});

/** The schema of CorsOptions. */
export const corsSchema = optionMembers("the option `cors`", {
  origins,
  maxAgeSeconds: v.exactOptional(wholeNumber(0)),
});
