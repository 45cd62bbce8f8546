import { port } from "./port.ts";

/** The address of the site in browsers, without a slash at its end. */
export const site = process.env["SITE_URL"] ?? `http://127.0.0.1:${port}`;
