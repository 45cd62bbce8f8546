// One of several processes that use the same limits concurrently: node concurrent-limits.mjs <url> <prefix> <client>
// Waits for a line, and then prints as JSON how many calls were granted.
import { once } from "node:events";
import { redisLimiter } from "@tollgate/redis";
import { Redis } from "ioredis";
import { createClient } from "redis";

const [url, prefix, name] = process.argv.slice(2);
const client = name === "ioredis" ? new Redis(url) : await createClient({ url }).connect();
const limiter = redisLimiter(client, { prefix, onOutage: "reject", timeoutMs: 10_000 });

const minutes = (limit) => ({ limit, windowSeconds: 600 });
const reservation = (more) => ({ id: crypto.randomUUID(), subject: "s", leaseMs: 60_000, ...more });
const both = () => reservation({ subject: "both", concurrency: 100, tokens: { amount: 7, window: minutes(350) } });
const calls = {
  requests: () => limiter.countRequest("s", minutes(300)),
  tokens: () => limiter.reserve(reservation({ tokens: { amount: 7, window: minutes(1_000) } })),
  places: () => limiter.reserve(reservation({ concurrency: 10 })),
  both: () => limiter.reserve(both()),
};

console.log("ready");
await once(process.stdin, "data");
const granted = {};
for (const [name, call] of Object.entries(calls)) {
  const results = await Promise.all(Array.from({ length: 200 }, call));
  granted[name] = results.filter((result) => result.granted).length;
}
console.log(JSON.stringify(granted));
process.exit();
