import * as v from "valibot";
import { wanted } from "./leaves.ts";

/** The schema of the path under which endpoints are mounted; "" is the root. */
export const basePath = v.custom<string>(
  (value) => typeof value === "string" && /^(\/[^/?#]+)*$/.test(value),
  wanted('must begin with a slash and not end with one, such as "/router/v1"'),
);
