import { afterAll, beforeAll, it, vi } from "vitest";
import { form } from "../../form.ts";
import { checkAgainstModel } from "./ledger-property.ts";
import { sqliteLedgers } from "./sqlite-ledgers.ts";

const ledgers = sqliteLedgers();

beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterAll(() => {
  vi.useRealTimers();
  ledgers.close();
});

it("a ledger in SQLite matches the model and the invariants after every step", async () => {
  await checkAgainstModel("Model of the ledger in SQLite", ledgers, form === "long" ? 2_000 : 60);
}, 600_000);
