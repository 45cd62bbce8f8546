import { stores } from "./sharded-stores.ts";

const { from, to, frozenMs } = await stores.shards.move("customer-17", "b");
console.log(`Moved from ${from} to ${to}. It could not be changed for ${Math.round(frozenMs)} ms.`);
