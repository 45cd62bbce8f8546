import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { form } from "../../form.ts";
import { holdToModel } from "./ledger-property.ts";
import { memoryLedgers } from "./memory-ledgers.ts";

beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterAll(() => void vi.useRealTimers());

it("a ledger in memory agrees with the model after every command, and keeps its promises", async () => {
  const tally = await holdToModel("Model of the ledger in memory", memoryLedgers(), form === "long" ? 20_000 : 2_000);
  expect(Object.keys(tally.figures())).toEqual(everythingThatCanHappen);
}, 600_000);

/** The scripts must bring about all of it, or the model would hold the stores to less than it seems. */
const everythingThatCanHappen = [
  ...["credit RangeError", "credit conflict", "credit posted", "credit repeated"],
  ...["debit RangeError", "debit conflict", "debit posted", "debit repeated"],
  "expire swept",
  ...["hold RangeError", "hold conflict", "hold held", "hold insufficient"],
  ...["page", "pass"],
  ...["release conflict", "release ended", "release repeated", "release unknown"],
  ...["renew RangeError", "renew renewed", "reopen", "several at once"],
  ...["settle RangeError", "settle conflict", "settle ended", "settle late", "settle repeated", "settle unknown"],
].sort();
