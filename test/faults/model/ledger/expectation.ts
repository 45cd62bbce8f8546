import { inspect, isDeepStrictEqual } from "node:util";
import type { Balance } from "@tollgate/core/store";
import { type Books, inFixedOrder, linesSince } from "./books.ts";
import { type Answer, accountOf, type Call } from "./call.ts";
import { balanceIn, type Foretold, foretell, type Ledger, type Line, newLedger } from "./ledger-model.ts";

/** What came of some calls that were made at once: the answer to each, and the books before and after all of them. */
export interface Seen {
  readonly calls: readonly Call[];
  readonly answers: readonly Answer[];
  readonly before: Books;
  readonly after: Books;
}

/** The calls in one order, with what each comes to after those before it. */
interface Course {
  readonly effects: readonly Effect[];
  readonly ledger: Ledger;
}

/** What a call comes to, with its place in the script. */
type Effect = Foretold & { readonly at: number };

/** What the books show of some calls. */
interface Shown {
  readonly balances: readonly Balance[];
  readonly lines: readonly Line[];
}

/**
 * The ledgers that there may be after one call, or after several at once: what was seen must be what one order of the
 * calls explains. There may be several, since a lease shows only when it ends. Throws when there is none, and the
 * error shows what was seen and what could have been.
 */
export function ledgersAfter(ledgers: readonly Ledger[], seen: Seen): readonly Ledger[] {
  const { calls, answers, before, after } = seen;
  const accounts = after.accounts.map(({ account }) => account);
  const shown: Shown = { balances: after.accounts.map(({ balance }) => balance), lines: linesSince(before, after) };
  const done = withoutPassedOver(calls, answers);
  const courses = ledgers.flatMap((ledger) => coursesOf({ effects: [], ledger }, done, answers));
  const taken = courses.filter(
    (course) => explainsAnswers(course, calls, answers) && isDeepStrictEqual(shownAfter(course, accounts), shown),
  );
  if (taken.length > 0) return different(taken.map(({ ledger }) => ledger));
  const [ledger = newLedger] = ledgers;
  const inTurn = done.reduce(withEffect, { effects: [], ledger });
  throw new Error(
    `No order of the calls explains ${told(answers, shown)}. As written they give ${told(
      inTurn.effects.map(({ answer }) => answer),
      shownAfter(inTurn, accounts),
    )}.`,
  );
}

/** One of those that are the same. */
function different(ledgers: readonly Ledger[]): readonly Ledger[] {
  if (ledgers.length < 2) return ledgers;
  const holdsOf = ({ holds }: Ledger) =>
    [...holds].map(([id, { state, used, charged, endsAt }]) => [id, state, used, charged, endsAt].join(" ")).sort();
  return [...new Map(ledgers.map((ledger) => [holdsOf(ledger).join(), ledger])).values()];
}

/**
 * The calls less what a renewal passed over because another one was renewing the same hold, or a sweep was ending it:
 * whoever comes second need not wait.
 */
function withoutPassedOver(calls: readonly Call[], answers: readonly Answer[]): readonly Call[] {
  const renewed = answers.map((answer) => (answer.outcome === "renewed" ? answer.ids : []));
  const swept = answers.some((answer) => answer.outcome === "swept" && answer.holds > 0);
  return calls.map((call, at) => {
    if (call.verb !== "renew" || answers[at]?.outcome !== "renewed") return call;
    const byOthers = renewed.filter((_, other) => other !== at).flat();
    const passedOver = ({ id }: { readonly id: string }) =>
      !renewed[at]?.includes(id) && (swept || byOthers.includes(id));
    return { ...call, renewals: call.renewals.filter((each) => !passedOver(each)) };
  });
}

/** Every order of the calls that are yet to come in which each has the outcome that was answered. */
function coursesOf(course: Course, calls: readonly Call[], answers: readonly Answer[]): readonly Course[] {
  if (course.effects.length === calls.length) return [course];
  return calls.flatMap((call, at) => {
    if (course.effects.some((effect) => effect.at === at)) return [];
    const longer = withEffect(course, call, at);
    const same = longer.effects.at(-1)?.answer.outcome === answers[at]?.outcome;
    return same ? coursesOf(longer, calls, answers) : [];
  });
}

function withEffect({ effects, ledger }: Course, call: Call, at: number): Course {
  const effect = { ...foretell(ledger, call), at };
  return { effects: [...effects, effect], ledger: effect.ledger };
}

function explainsAnswers({ effects }: Course, calls: readonly Call[], answers: readonly Answer[]): boolean {
  return effects.every(({ answer, at }, place) => {
    const given = answers[at];
    if (isDeepStrictEqual(given, answer)) return true;
    // A store may do several calls in one step, and then tell what the account has after all of them.
    const account = accountOf(calls[at]);
    if (account === undefined || !("balance" in answer)) return false;
    const later = effects.slice(place + 1).map(({ ledger }) => ({ ...answer, balance: balanceIn(ledger, account) }));
    return later.some((each) => isDeepStrictEqual(given, each));
  });
}

function shownAfter({ effects, ledger }: Course, accounts: readonly string[]): Shown {
  const lines = effects.flatMap((each) => each.lines);
  return {
    balances: accounts.map((account) => balanceIn(ledger, account)),
    lines: accounts.flatMap((account) => inFixedOrder(lines.filter((line) => line.account === account))),
  };
}

function told(answers: readonly Answer[], shown: Shown): string {
  return inspect({ answers, ...shown }, { depth: 5 });
}
