import { form } from "../form.ts";

const adapters = ["node:http", "Express 5", "Fastify 5", "Hono"];

/**
 * The names of the attacked mounts, as in `test/http/mounts`: every adapter with both edges, and `fetch` on a server of its own.
 * The short form has every adapter with one of its edges.
 */
export const attackedMounts: readonly string[] =
  form === "long"
    ? [...adapters.flatMap((name) => [`${name}, direct edge`, `${name}, fetch edge`]), "Fetch on @whatwg-node/server"]
    : adapters.map((name, at) => `${name}, ${at % 2 === 0 ? "direct" : "fetch"} edge`);
