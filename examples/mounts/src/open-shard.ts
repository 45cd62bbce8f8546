import { stores } from "./sharded-stores.ts";

await stores.shards.open("b");
console.table(await stores.shards.list());
