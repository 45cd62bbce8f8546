import type { Driver } from "@tollgate/exact-money";
import { installPortkey, startPortkey } from "../../bench/portkey.ts";

/** The open source gateway of Portkey. It has no keys, budgets or ledger of its own, and forwards calls. */
export const portkey: Driver = {
  name: "portkey",
  async start({ upstream }) {
    if (!installPortkey()) throw new Error("Portkey's gateway could not be installed from npm. See the output above.");
    const { target, stop } = await startPortkey(Number(new URL(upstream.url).port));
    const { Authorization: _, ...headers } = target.headers;
    return {
      url: `http://127.0.0.1:${target.port}${target.base}`,
      headers,
      abilities: { messages: true, responses: true, embeddings: true },
      stop,
    };
  },
};
