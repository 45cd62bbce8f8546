import fc from "fast-check";

/** One step of a script for a limiter. A number refers to an earlier reservation, counted from the last. */
export type LimiterStep =
  /** One call or two concurrent calls. */
  | { readonly does: "call"; readonly asked: readonly Asked[] }
  | { readonly does: "pass"; readonly milliseconds: number };

/** A call of a script and its client. */
export interface Asked {
  readonly client: 0 | 1;
  readonly call: Scripted;
}

/** A call whose reservation is created when the script runs. */
export type Scripted =
  | { readonly verb: "countRequest"; readonly subject: string }
  | {
      readonly verb: "reserve";
      readonly subject: string;
      readonly tokens: number | undefined;
      readonly concurrency: number | undefined;
      readonly leaseMs: number;
    }
  | { readonly verb: "settle"; readonly which: number; readonly tokensUsed: number }
  | { readonly verb: "renew"; readonly which: readonly number[] };

const subject = fc.constantFrom("a", "a", "a", "b");
const which = fc.nat({ max: 4 });

const tokensUsed = fc.oneof({ weight: 9, arbitrary: fc.nat({ max: 12 }) }, { weight: 1, arbitrary: fc.constant(-1) });
const passes = fc.constantFrom(1, 9_999, 10_000, 20_000, 60_000);

const reserve = fc.record({
  verb: fc.constant("reserve"),
  subject,
  tokens: fc.option(fc.nat({ max: 12 }), { nil: undefined, freq: 2 }),
  concurrency: fc.option(fc.constantFrom(1, 2, 3), { nil: undefined }),
  leaseMs: fc.constantFrom(20_000, 40_000),
});

const scripted: fc.Arbitrary<Scripted> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ verb: fc.constant("countRequest"), subject }) },
  { weight: 5, arbitrary: reserve },
  { weight: 2, arbitrary: fc.record({ verb: fc.constant("settle"), which, tokensUsed }) },
  { weight: 2, arbitrary: fc.record({ verb: fc.constant("renew"), which: fc.array(which, { maxLength: 4 }) }) },
);

const asked = fc.record({ client: fc.constantFrom<Asked["client"]>(0, 1), call: scripted });

/** Any step. Time passes to the ends of leases and windows, or to the last millisecond before them. */
export const limiterStep: fc.Arbitrary<LimiterStep> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ does: fc.constant("call"), asked: fc.tuple(asked) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("call"), asked: fc.tuple(asked, asked) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("pass"), milliseconds: passes }) },
);

/** Formats a step as one line of a failed script. */
export function formatLimiterStep(step: LimiterStep): string {
  if (step.does === "pass") return `${step.milliseconds} ms pass`;
  return step.asked.map(({ client, call }) => `${JSON.stringify(call)} (client ${client})`).join(" & ");
}
