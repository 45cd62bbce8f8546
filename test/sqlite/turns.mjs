// Takes turns on one session as one of several processes: until so many were its own, or one that never ends.
import { DatabaseSync } from "@photostructure/sqlite";
import { sqliteSessionStore } from "@tollgate/sqlite";

const [file, id, account, lease, own] = process.argv.slice(2);
const sessions = sqliteSessionStore(new DatabaseSync(file));
const ref = { id, account };
const [leaseMs, historyLimit] = [Number(lease), 1_000_000];
// It ends with the process that started it.
process.on("disconnect", () => process.exit());

/** Adds two messages, the first of which says how many there were before it, and an image. */
async function takeTurn() {
  const turnId = crypto.randomUUID();
  const begun = await sessions.beginTurn(ref, { turnId, leaseMs, historyLimit });
  if (begun.outcome === "busy") return false;
  const user = { role: "user", content: `after ${begun.messages.length}` };
  // A turn takes its time, and others ask meanwhile.
  await new Promise((resolve) => setTimeout(resolve, 1));
  const messages = [user, { role: "assistant", content: "yes" }];
  if (await sessions.endTurn(ref, { turnId, messages, images: [user.content] })) return true;
  throw new Error("A turn whose lease runs has lost its lock.");
}

if (own === undefined) {
  const begunAt = Date.now();
  const { outcome } = await sessions.beginTurn(ref, { turnId: "never ends", leaseMs, historyLimit });
  process.send?.({ outcome, begunAt });
} else {
  let [taken, busy] = [0, 0];
  while (taken < Number(own)) {
    if (await takeTurn()) taken++;
    else if (++busy === 1) process.send?.("busy");
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 4));
  }
  process.exit();
}
