import { stores } from "./sharded-stores.ts";

const adopted = await stores.shards.adopt("a");
console.log(`${adopted} accounts were added to the directory.`);
