import type { Entry, EntryPage, EntryQuery } from "@tollgate/core/store";

/** The seeded mutations of pages of entries. Each changes one line. */
export interface PageMutations {
  readonly cursorIgnored?: boolean;
  readonly referenceIgnored?: boolean;
  readonly answerIgnored?: boolean;
  readonly orderIgnored?: boolean;
  readonly kindIgnored?: boolean;
  readonly periodWithItsEnd?: boolean;
}

/** Returns a page of the entries of an account, which are given oldest first. */
export function entryPage(all: readonly Entry[], query: EntryQuery, mutations: PageMutations): EntryPage {
  const { limit, after, from, to, answerId } = query;
  const { cursorIgnored, referenceIgnored, answerIgnored, orderIgnored, kindIgnored, periodWithItsEnd } = mutations;
  const newestFirst = query.newestFirst === true && !orderIgnored;
  const isAfter = ({ sequence }: Entry) => after === undefined || (newestFirst ? sequence < after : sequence > after);
  const isBefore = (at: Date) => to === undefined || at < to || (periodWithItsEnd === true && at <= to);
  const rest = (newestFirst ? all.toReversed() : all).filter(
    (entry) =>
      (cursorIgnored || isAfter(entry)) &&
      (referenceIgnored || query.reference === undefined || entry.reference === query.reference) &&
      (answerIgnored || answerId === undefined || entry.receipt?.charge?.answerId === answerId) &&
      (kindIgnored || query.kind === undefined || query.kind === entry.kind) &&
      (from === undefined || entry.at >= from) &&
      isBefore(entry.at),
  );
  const entries = rest.slice(0, limit);
  const last = entries.at(-1);
  return rest.length > entries.length && last ? { entries, next: last.sequence } : { entries };
}
