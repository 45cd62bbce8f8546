import { inspect, isDeepStrictEqual } from "node:util";
import type { Balance } from "@tollgate/core/store";
import { type Books, inFixedOrder, linesSince } from "./books.ts";
import { type Answer, accountOf, type Call } from "./call.ts";
import { balanceIn, type Ledger, type Line, newLedger, type Prediction, predict } from "./ledger-model.ts";

/** The results of concurrent calls, and the state before and after all of them. */
export interface Observation {
  readonly calls: readonly Call[];
  readonly answers: readonly Answer[];
  readonly before: Books;
  readonly after: Books;
}

/** One order of the calls, with the effect of each. */
interface Course {
  readonly effects: readonly Effect[];
  readonly ledger: Ledger;
}

/** The effect of a call and its position in the script. */
type Effect = Prediction & { readonly at: number };

/** The visible effects of some calls. */
interface Shown {
  readonly balances: readonly Balance[];
  readonly lines: readonly Line[];
}

/**
 * Returns the possible ledgers after one call or after concurrent calls: some order of the calls must explain the
 * observation. There can be several, since a lease is visible only when it ends. Throws when no order explains the
 * observation; the error contains the observed and the expected state.
 */
export function ledgersAfter(ledgers: readonly Ledger[], observation: Observation): readonly Ledger[] {
  const { calls, answers, before, after } = observation;
  const accounts = after.accounts.map(({ account }) => account);
  const shown: Shown = { balances: after.accounts.map(({ balance }) => balance), lines: linesSince(before, after) };
  const done = withoutPassedOver(calls, answers);
  const courses = ledgers.flatMap((ledger) => coursesOf({ effects: [], ledger }, done, answers));
  const taken = courses.filter(
    (course) => explainsAnswers(course, calls, answers) && isDeepStrictEqual(shownAfter(course, accounts), shown),
  );
  if (taken.length > 0) return unique(taken.map(({ ledger }) => ledger));
  const [ledger = newLedger] = ledgers;
  const inTurn = done.reduce<Course>((course, call, at) => withEffect(course, predict(course.ledger, call)[0], at), {
    effects: [],
    ledger,
  });
  throw new Error(
    `No order of the calls explains ${describe(answers, shown)}. In the written order, the model expects ${describe(
      inTurn.effects.map(({ answer }) => answer),
      shownAfter(inTurn, accounts),
    )}.`,
  );
}

/** Removes duplicate ledgers. */
function unique(ledgers: readonly Ledger[]): readonly Ledger[] {
  if (ledgers.length < 2) return ledgers;
  const holdsOf = ({ holds }: Ledger) =>
    [...holds].map(([id, { state, used, charged, endsAt }]) => [id, state, used, charged, endsAt].join(" ")).sort();
  const lotsOf = ({ lots }: Ledger) =>
    [...lots].flatMap(([account, left]) => left.map(({ lot, amount }) => [account, lot, amount].join(" "))).sort();
  return [...new Map(ledgers.map((ledger) => [[...holdsOf(ledger), ...lotsOf(ledger)].join(), ledger])).values()];
}

/**
 * Removes the holds that a renewal skipped because a concurrent renewal or sweep had locked them: a renewal need not
 * wait.
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

/** Returns every order of the remaining calls in which each has the observed outcome. */
function coursesOf(course: Course, calls: readonly Call[], answers: readonly Answer[]): readonly Course[] {
  if (course.effects.length === calls.length) return [course];
  return calls.flatMap((call, at) => {
    if (course.effects.some((effect) => effect.at === at)) return [];
    const same = predict(course.ledger, call).filter(({ answer }) => answer.outcome === answers[at]?.outcome);
    return same.flatMap((effect) => coursesOf(withEffect(course, effect, at), calls, answers));
  });
}

const withEffect = ({ effects }: Course, prediction: Prediction, at: number): Course => ({
  effects: [...effects, { ...prediction, at }],
  ledger: prediction.ledger,
});

function explainsAnswers({ effects }: Course, calls: readonly Call[], answers: readonly Answer[]): boolean {
  return effects.every(({ answer, at }, place) => {
    const given = answers[at];
    if (isDeepStrictEqual(given, answer)) return true;
    // A store can run several calls in one step and then return the balance after all of them.
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

function describe(answers: readonly Answer[], shown: Shown): string {
  return inspect({ answers, ...shown }, { depth: 5 });
}
