import { describe, expect, it } from "vitest";
import { chargeReceipt } from "../../test-support/receipts.ts";
import {
  chargeColumnNames,
  holdColumnNames,
  type ReceiptRow,
  readReceipt,
  toChargeColumns,
  toHoldColumns,
} from "./receipt-columns.ts";

const holdReceipt = { requestId: "req-1", model: "model-1", dialect: "chat" } as const;
const plainHostReceipt = { requestId: "req-1", description: "An image" };
const hostReceipt = { ...plainHostReceipt, metadata: { size: "large" } };
const chargeColumns = {
  provider: "provider-1",
  upstream_model: "upstream-1",
  basis: "reported",
  status: "complete",
  answer_id: "chatcmpl-1",
  input_tokens: 6,
  cached_input_tokens: 3,
  cache_write_5m_tokens: 2,
  cache_write_1h_tokens: 1,
  output_tokens: 5,
  reasoning_tokens: 4,
  input_price: 1n,
  cached_input_price: 2n,
  cache_write_5m_price: 3n,
  cache_write_1h_price: 4n,
  output_price: 5n,
  request_price: 6n,
  duration_ms: 7,
  tier: 200_000,
};

/** A row as a store reads it, which throws for a value of another type. */
function rowOf(columns: Readonly<Record<string, string | number | bigint | undefined>>): ReceiptRow {
  const text = (column: string) => {
    const value = columns[column];
    return typeof value === "string" ? value : expect.fail(`${column} is no text.`);
  };
  return {
    text,
    optionalText: (column) => (columns[column] === undefined ? undefined : text(column)),
    integer: (column) => BigInt(columns[column] ?? expect.fail(`${column} is absent.`)),
    optionalInteger: (column) => (columns[column] === undefined ? undefined : BigInt(columns[column])),
    oneOf: (column, choices) =>
      choices.find((choice) => choice === columns[column]) ?? expect.fail(`${column} is unknown.`),
  };
}

describe("the columns of a receipt", () => {
  it("are those of its hold and of its charge", () => {
    expect(toHoldColumns(holdReceipt)).toEqual({ request_id: "req-1", model: "model-1", dialect: "chat" });
    expect(toChargeColumns({ ...chargeReceipt, answerId: "chatcmpl-1", tier: 200_000 })).toEqual(chargeColumns);
  });

  it("are a description and metadata for a charge of the host", () => {
    const columns = { request_id: "req-1", description: "An image", metadata: '{"size":"large"}' };
    expect(toHoldColumns(hostReceipt)).toEqual(columns);
    expect(toHoldColumns(plainHostReceipt)).toEqual({ ...columns, metadata: undefined });
  });

  it("have names", () => {
    expect(Object.keys(toHoldColumns(holdReceipt))).toEqual(holdColumnNames);
  });

  it("are named by the type of their values", () => {
    const { text, integer } = chargeColumnNames;
    expect([...text, ...integer].toSorted()).toEqual(Object.keys(chargeColumns).toSorted());
    expect(text.map((name) => chargeColumns[name])).toEqual([
      "provider-1",
      "upstream-1",
      "reported",
      "complete",
      "chatcmpl-1",
    ]);
  });
});

describe("a receipt", () => {
  const held = { ...toHoldColumns(holdReceipt), key_id: "key-1" };

  it.each(["reported", "estimated", "implausible"] as const)(
    "is read as it was written, with the basis %s",
    (basis) => {
      const charge = { ...chargeReceipt, basis };
      expect(readReceipt(rowOf({ ...held, ...toChargeColumns(charge) }))).toEqual({
        ...holdReceipt,
        keyId: "key-1",
        charge,
      });
    },
  );

  it("has the id of the answer and the tier of the prices", () => {
    const charge = { ...chargeReceipt, answerId: "chatcmpl-1", tier: 200_000 };
    expect(readReceipt(rowOf({ ...held, ...toChargeColumns(charge) }))).toMatchObject({ charge });
  });

  it("has no charge without a provider", () => {
    const receipt = readReceipt(rowOf(held));
    expect(receipt).toEqual({ ...holdReceipt, keyId: "key-1" });
    expect(receipt).not.toHaveProperty("charge");
  });

  it("of the host has a description and metadata, and a key if there was one", () => {
    expect(readReceipt(rowOf({ ...toHoldColumns(hostReceipt), key_id: undefined }))).toEqual(hostReceipt);
    expect(readReceipt(rowOf({ ...toHoldColumns(plainHostReceipt), key_id: "key-1" }))).toEqual({
      ...plainHostReceipt,
      keyId: "key-1",
    });
  });

  it("is undefined without a request", () => {
    expect(readReceipt(rowOf({ key_id: "key-1", ...chargeColumns }))).toBeUndefined();
  });
});
