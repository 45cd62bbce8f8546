// Takes turns on one session as one of several processes: until a number of them were its own, or one that never ends.
import { DatabaseSync } from "@photostructure/sqlite";
import { sqliteSessionStore } from "@tollgate/sqlite";

const [file, id, account, own] = process.argv.slice(2);
const sessions = sqliteSessionStore(new DatabaseSync(file));
const ref = { id, account };
process.on("disconnect", () => process.exit());

/** Adds a message that says how many there were before it. */
async function takeTurn() {
  const turnId = crypto.randomUUID();
  const begun = await sessions.beginTurn(ref, { turnId, leaseMs: 60_000, historyLimit: 1_000 });
  if (begun.outcome === "busy") return false;
  const message = { role: "user", content: `after ${begun.messages.length}` };
  // A turn takes its time, and others ask meanwhile.
  await new Promise((resolve) => setTimeout(resolve, 1));
  if (await sessions.endTurn(ref, { turnId, messages: [message], images: [] })) return true;
  throw new Error("A turn whose lease runs has lost its lock.");
}

if (own === undefined) {
  const begunAt = Date.now();
  const { outcome } = await sessions.beginTurn(ref, { turnId: "never ends", leaseMs: 3_000, historyLimit: 1_000 });
  process.send?.({ outcome, begunAt });
} else {
  let [taken, busy] = [0, 0];
  while (taken < Number(own)) {
    if (await takeTurn()) taken++;
    else busy++;
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 4));
  }
  console.log(JSON.stringify({ taken, busy }));
}
