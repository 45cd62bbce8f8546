import { formatAmount } from "@tollgate/core";
import { oneOf, wanted } from "@tollgate/core/internal";
import { isTimeZone, type Limits, type SpendLimit, type SpendState, type WindowLimit } from "@tollgate/core/store";
import * as v from "valibot";
import { answerFrom, copied, orNull } from "./answer.ts";
import { amountText, shownTime, timeText } from "./answers.ts";
import { amount, members, text, wholeNumber } from "./values.ts";

const weekSeconds = 604_800;

const window = members("a window limit", {
  limit: wholeNumber(1),
  window_seconds: v.exactOptional(wholeNumber(1, weekSeconds)),
});

/** The limits of a key in a body, read as {@link Limits}. */
export const limits = v.pipe(
  members("limits", {
    requests: v.exactOptional(window),
    tokens: v.exactOptional(window),
    concurrency: v.exactOptional(wholeNumber(1)),
  }),
  v.transform(
    ({ requests, tokens, concurrency }): Limits => ({
      ...(requests === undefined ? {} : { requests: readWindow(requests) }),
      ...(tokens === undefined ? {} : { tokens: readWindow(tokens) }),
      ...(concurrency === undefined ? {} : { concurrency }),
    }),
  ),
);

const readWindow = ({ limit, window_seconds }: v.InferOutput<typeof window>): WindowLimit => ({
  limit,
  ...(window_seconds === undefined ? {} : { windowSeconds: window_seconds }),
});

/** The periods of a spend limit. */
export const spendWindows = ["day", "week", "month", "total"] as const;

const zoneMessage = 'must be an IANA time zone, such as "Europe/Berlin"';

/** A spend limit in a body, read as {@link SpendLimit}. */
export const spend = v.pipe(
  members("a spend limit", {
    limit: amount,
    window: oneOf(...spendWindows),
    timezone: v.exactOptional(
      v.pipe(
        v.string(wanted(zoneMessage)),
        v.check((zone: string) => isTimeZone(zone), wanted(zoneMessage)),
      ),
    ),
    models: v.exactOptional(
      v.pipe(
        v.array(text, wanted("must be an array of model ids")),
        v.minLength(1, "is empty. Name at least one model, or leave it out for all"),
      ),
    ),
  }),
  v.transform((read): SpendLimit => read),
);

const defaultWindowSeconds = 60;

const windowAnswer = answerFrom<WindowLimit>()({
  limit: [v.number(), ({ limit }) => limit],
  window_seconds: [v.number(), ({ windowSeconds = defaultWindowSeconds }) => windowSeconds],
});

/** Limits in an answer. Null: no limit. */
export const limitsAnswer = answerFrom<Limits>()({
  requests: [v.nullable(windowAnswer.schema), ({ requests }) => orNull(requests, windowAnswer.show)],
  tokens: [v.nullable(windowAnswer.schema), ({ tokens }) => orNull(tokens, windowAnswer.show)],
  concurrency: [v.nullable(v.number()), ({ concurrency }) => concurrency ?? null],
});

/** A spend limit in an answer. */
export const spendAnswer = answerFrom<SpendLimit>()({
  limit: [amountText, ({ limit }) => formatAmount(limit)],
  window: [v.picklist(spendWindows), ({ window }) => window],
  timezone: [v.string(), ({ timezone = "UTC" }) => timezone],
  // Null: of all requests. `*` matches any text.
  models: [v.nullable(v.array(v.string())), ({ models }) => orNull(models, copied)],
});

/** A spend limit with what was spent of it. */
export interface Spending extends SpendLimit, Omit<SpendState, "limit"> {}

/** Returns the members of a state beside those of its limit. */
export const spendingOf = ({ limit, ...state }: SpendState): Spending => ({ ...state, ...limit });

/** A spend limit with what was spent of it in its present window, in an answer. */
export const spendingAnswer = answerFrom<Spending>()({
  ...spendAnswer.members,
  spent: [amountText, ({ spent }) => formatAmount(spent)],
  resets_at: [v.nullable(timeText), ({ resetsAt }) => shownTime(resetsAt)],
});
