import { formatAmount } from "@tollgate/core";
import { oneOf, wanted } from "@tollgate/core/internal";
import { isTimeZone, type Limits, type SpendLimit, type SpendState, type WindowLimit } from "@tollgate/core/store";
import * as v from "valibot";
import { amountText, shownTime, timeText } from "./answers.ts";
import { amount, members, wholeNumber } from "./values.ts";

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

const zoneMessage = 'must be an IANA time zone, such as "Europe/Berlin"';

/** A spend limit in a body, read as {@link SpendLimit}. */
export const spend = v.pipe(
  members("a spend limit", {
    limit: amount,
    window: oneOf("day", "week", "month", "total"),
    timezone: v.exactOptional(
      v.pipe(
        v.string(wanted(zoneMessage)),
        v.check((zone: string) => isTimeZone(zone), wanted(zoneMessage)),
      ),
    ),
  }),
  v.transform((read): SpendLimit => read),
);

const windowAnswer = v.strictObject({ limit: v.number(), window_seconds: v.number() });

/** Limits in an answer. Null: no limit. */
export const limitsAnswer = v.strictObject({
  requests: v.nullable(windowAnswer),
  tokens: v.nullable(windowAnswer),
  concurrency: v.nullable(v.number()),
});

const spendMembers = {
  limit: amountText,
  window: v.picklist(["day", "week", "month", "total"]),
  timezone: v.string(),
};

/** A spend limit in an answer. */
export const spendAnswer = v.strictObject(spendMembers);

const defaultWindowSeconds = 60;

const shownWindow = ({ limit, windowSeconds = defaultWindowSeconds }: WindowLimit) => ({
  limit,
  window_seconds: windowSeconds,
});

/** Shows limits. */
export const shownLimits = ({ requests, tokens, concurrency }: Limits) => ({
  requests: requests === undefined ? null : shownWindow(requests),
  tokens: tokens === undefined ? null : shownWindow(tokens),
  concurrency: concurrency ?? null,
});

/** Shows a spend limit. */
export const shownSpend = ({ limit, window, timezone = "UTC" }: SpendLimit) => ({
  limit: formatAmount(limit),
  window,
  timezone,
});

/** The members of a spend limit with what was spent of it. */
export const spendStateMembers = { ...spendMembers, spent: amountText, resets_at: v.nullable(timeText) };

/** A spend limit with what was spent of it in its present window. */
export const spendStateAnswer = v.strictObject(spendStateMembers);

/** Shows a spend limit with what was spent of it. */
export const shownSpendState = ({ limit, spent, resetsAt }: SpendState) => ({
  ...shownSpend(limit),
  spent: formatAmount(spent),
  resets_at: shownTime(resetsAt),
});
