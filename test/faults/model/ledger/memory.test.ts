import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { form } from "../../form.ts";
import { checkAgainstModel } from "./ledger-property.ts";
import { memoryLedgers } from "./memory-ledgers.ts";

beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterAll(() => void vi.useRealTimers());

it("a ledger in memory matches the model and the invariants after every step", async () => {
  const tally = await checkAgainstModel(
    "Model of the ledger in memory",
    memoryLedgers(),
    form === "long" ? 20_000 : 600,
  );
  expect(Object.keys(tally.figures())).toEqual(expectedResults);
}, 600_000);

/** The scripts must produce all of these results, or the test would check less than intended. */
const expectedResults = [
  ...["credit RangeError", "credit conflict", "credit posted", "credit repeated"],
  ...["debit RangeError", "debit conflict", "debit posted", "debit repeated"],
  "expire swept",
  ...["hold RangeError", "hold conflict", "hold ended", "hold held", "hold insufficient"],
  ...["page", "pass"],
  ...["release conflict", "release ended", "release repeated", "release unknown"],
  ...["renew RangeError", "renew renewed", "reopen", "concurrent calls"],
  ...["settle RangeError", "settle conflict", "settle ended", "settle late", "settle repeated", "settle unknown"],
].sort();
