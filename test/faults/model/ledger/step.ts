import type { HoldRequest } from "@tollgate/core/store";
import fc from "fast-check";
import { plainHold } from "../../../../packages/core/test-support/receipts.ts";
import { type Call, formatCall } from "./call.ts";

/** One step of a script. Ids, accounts and amounts are short; each run replaces them by real ones. */
export type Step =
  /** One call or several concurrent calls. */
  | { readonly does: "call"; readonly asked: readonly Asked[] }
  | { readonly does: "pass"; readonly milliseconds: number }
  /** Reopens the same data, like a restarted process. */
  | { readonly does: "reopen" }
  /** Reads all entries of the account in pages of the given size. */
  | { readonly does: "page"; readonly client: Client; readonly account: string; readonly limit: number };

/** A call and its client. */
export interface Asked {
  readonly client: Client;
  readonly call: Call;
}

/** The index of one of the two clients. */
export type Client = 0 | 1;

const minute = 60_000;
const account = fc.constantFrom("a", "a", "a", "b");
const keyId = oftenest<string>("key-1", "key-2");
const holdId = fc.constantFrom("h0", "h1", "h2", "h3", "h4", "h5");
/** Credits and debits share one id space, and holds have another, so a posting can have the id of a hold. */
const postingId = fc.constantFrom("p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9", "h0");
const reason = oftenest<string>("top-up", 'it\'s 5 € back, "as agreed" – 日本');
const client = fc.constantFrom<Client>(0, 1);
/** Leases end at half minutes and time passes in whole minutes, so that real milliseconds do not matter. */
const leaseMs = fc.constantFrom(1.5 * minute, 2.5 * minute, 5.5 * minute);
const minutes = fc.integer({ min: 1, max: 6 }).map((number) => number * minute);
const limit = fc.integer({ min: 1, max: 4 });

const hold = fc.record({ id: holdId, account });
const renewal = fc.record({ id: holdId, account, used: upTo(10n) });
const amounts = (most: bigint) =>
  fc.oneof(
    { weight: 2, arbitrary: upTo(most).map((amount) => ({ amount })) },
    {
      weight: 1,
      arbitrary: fc.tuple(upTo(most), upTo(most), upTo(4n * most)).map((three) => {
        const [least = 0n, floor = 0n, amount = 0n] = three.sort((a, b) => Number(a - b));
        return { amount, flexible: { least, floor } };
      }),
    },
  );
const requestUpTo = (most: bigint) =>
  fc
    .record({ id: holdId, account, keyId, amounts: amounts(most), leaseMs })
    .map(({ amounts: asked, ...request }) => ({ ...request, ...asked, ...plainHold }));
const posting = (most: bigint) => fc.record({ id: postingId, account, amount: upTo(most), reason });
const credit = fc
  .tuple(posting(30n), fc.boolean())
  .map(([given, isGranted]) => (isGranted ? { ...given, kind: "granted" as const } : given));
const debit = fc
  .tuple(posting(10n), fc.boolean())
  .map(([given, isPaid]) => (isPaid ? { ...given, from: "paid" as const } : given));

const newHold = requestUpTo(6n).map(holdOf);
const renewals = fc.array(renewal, { minLength: 1, maxLength: 5 });

/** Any call, weighted by how interesting its results are. */
const call: fc.Arbitrary<Call> = fc.oneof(
  { weight: 8, arbitrary: newHold },
  { weight: 4, arbitrary: fc.record({ verb: fc.constant("settle"), hold, amount: upTo(10n) }) },
  { weight: 1, arbitrary: fc.record({ verb: fc.constant("release"), hold }) },
  { weight: 4, arbitrary: fc.record({ verb: fc.constant("renew"), renewals, leaseMs }) },
  { weight: 3, arbitrary: fc.record({ verb: fc.constant("expire") }) },
  { weight: 5, arbitrary: fc.record({ verb: fc.constant("credit"), posting: credit }) },
  { weight: 2, arbitrary: fc.record({ verb: fc.constant("debit"), posting: debit }) },
);

/** Steps with exactly one possible result. */
const singleStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 20, arbitrary: fc.record({ does: fc.constant("call"), asked: fc.tuple(fc.record({ client, call })) }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant("pass"), milliseconds: minutes }) },
  { weight: 1, arbitrary: fc.constant({ does: "reopen" }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("page"), client, account, limit }) },
);

const atOnce = { minLength: 2, maxLength: 4 };
const rivalIds = fc.array(fc.record({ client, id: holdId }), atOnce);
const clients = fc.array(client, atOnce);

/** Independent calls, holds of the same balance, or repetitions of one call. */
const several: fc.Arbitrary<Asked[]> = fc.oneof(
  { weight: 2, arbitrary: fc.array(fc.record({ client, call }), atOnce) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(requestUpTo(20n), rivalIds)
      .map(([request, ids]) => ids.map(({ client, id }) => ({ client, call: holdOf({ ...request, id }) }))),
  },
  { weight: 1, arbitrary: fc.tuple(call, clients).map(([call, by]) => by.map((client) => ({ client, call }))) },
);

/** Single steps and concurrent calls. */
export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: singleStep },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("call"), asked: several }) },
);

/** Formats a step as one line of a failed script. */
export function formatStep(step: Step): string {
  switch (step.does) {
    case "call":
      return step.asked.map(({ client: by, call: each }) => `${formatCall(each)} (client ${by})`).join(" & ");
    case "pass":
      return `${step.milliseconds / minute} min pass`;
    case "reopen":
      return "reopen";
    case "page":
      return `page ${step.account} by ${step.limit} (client ${step.client})`;
  }
}

function holdOf(request: HoldRequest): Call {
  return { verb: "hold", request };
}

/** Amounts up to the limit, and sometimes an invalid one. */
function upTo(most: bigint): fc.Arbitrary<bigint> {
  return fc.oneof({ weight: 40, arbitrary: fc.bigInt(0n, most) }, { weight: 1, arbitrary: fc.constant(-1n) });
}

function oftenest<Value>(usual: Value, other: Value): fc.Arbitrary<Value> {
  return fc.oneof({ weight: 7, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constant(other) });
}
