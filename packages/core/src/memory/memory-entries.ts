import type { Entry, EntryPage, EntryQuery } from "../ports/balance-store.ts";

/** Returns a page of the entries of an account, which are given oldest first. */
export function entriesPage(all: readonly Entry[], query: EntryQuery): EntryPage {
  const ordered = query.newestFirst === true ? all.toReversed() : all;
  const rest = ordered.filter((entry) => isSelected(entry, query));
  const entries = rest.slice(0, query.limit).map(copyOf);
  const last = entries.at(-1);
  return last === undefined || rest.length <= query.limit ? { entries } : { entries, next: last.sequence };
}

function isSelected({ sequence, reference, kind, at }: Entry, query: EntryQuery): boolean {
  const { after } = query;
  return (
    (after === undefined || (query.newestFirst === true ? sequence < after : sequence > after)) &&
    (query.reference === undefined || reference === query.reference) &&
    (query.kind === undefined || kind === query.kind) &&
    (query.from === undefined || at >= query.from) &&
    (query.to === undefined || at < query.to)
  );
}

/** Copies the Date too, since a caller can change it. */
const copyOf = (entry: Entry): Entry => structuredClone(entry);
