import { afterAll, beforeAll, it, vi } from "vitest";
import { form } from "../../form.ts";
import { holdToModel } from "./ledger-property.ts";
import { sqliteLedgers } from "./sqlite-ledgers.ts";

const ledgers = sqliteLedgers();

beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterAll(() => {
  vi.useRealTimers();
  ledgers.close();
});

it("a ledger in SQLite agrees with the model after every command, and keeps its promises", async () => {
  await holdToModel("Model of the ledger in SQLite", ledgers, form === "long" ? 2_000 : 200);
}, 600_000);
