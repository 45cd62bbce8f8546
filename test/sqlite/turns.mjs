// Takes turns on one session from one of several processes: the given number of turns, or a single one that it never
// ends.
import { DatabaseSync } from "@photostructure/sqlite";
import { sqliteSessionStore } from "@tollgate/sqlite";

const [file, id, account, lease, count] = process.argv.slice(2);
const sessions = sqliteSessionStore(new DatabaseSync(file));
const ref = { id, account };
const [leaseMs, historyLimit] = [Number(lease), 1_000_000];
// This process exits when its parent does.
process.on("disconnect", () => process.exit());

/** Adds an image and two messages, the first of which contains the number of messages before it. */
async function takeTurn() {
  const turnId = crypto.randomUUID();
  const begun = await sessions.beginTurn(ref, { turnId, leaseMs, historyLimit });
  if (begun.outcome === "busy") return false;
  const user = { role: "user", content: `after ${begun.messages.length}` };
  // Gives other processes time to ask for the lock.
  await new Promise((resolve) => setTimeout(resolve, 1));
  const messages = [user, { role: "assistant", content: "yes" }];
  if (await sessions.endTurn(ref, { turnId, messages, images: [user.content] })) return true;
  throw new Error("A turn lost its lock although its lease has not expired.");
}

if (count === undefined) {
  const begunAt = Date.now();
  const { outcome } = await sessions.beginTurn(ref, { turnId: "never ends", leaseMs, historyLimit });
  process.send?.({ outcome, begunAt });
} else {
  let [taken, busy] = [0, 0];
  while (taken < Number(count)) {
    if (await takeTurn()) taken++;
    else if (++busy === 1) process.send?.("busy");
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 4));
  }
  process.exit();
}
