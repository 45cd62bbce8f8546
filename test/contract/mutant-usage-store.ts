import { memoryUsageStore } from "@tollgate/core";
import type { UsageRow, UsageStore, UsageSummaryRow } from "@tollgate/core/store";
import { withOverrides } from "./failures.ts";

type Mutation = (sound: UsageStore) => Partial<UsageStore>;

/** The seeded mutations of a usage store, by name. */
export const usageMutations = {
  batchesRefused: () => ({ record: () => 0 }),
  oddTextRefused: (sound) => ({
    record: (rows) => {
      if (rows.some(({ endUser = "" }) => endUser.includes("\0"))) throw new RangeError("This text cannot be stored.");
      return sound.record(rows);
    },
  }),
  timeIgnored: (sound) => {
    const known = new Set<string>();
    return {
      record: (rows) => sound.record(rows.filter(({ id }) => !known.has(id) && known.add(id) !== undefined)),
    };
  },
  duplicatesCounted: (sound) => ({ record: (rows) => sound.record(rows.map(withNewId)) }),
  duplicatesReported: (sound) => ({ record: async (rows) => Math.max(rows.length, await sound.record(rows)) }),
  checkedBeforeTheStep: (sound) => {
    const known = new Set<string>();
    return {
      record: async (rows) => {
        const added = rows.filter(({ id, at }) => !known.has(id + at.getTime()));
        await new Promise((resolve) => setTimeout(resolve, 2));
        for (const { id, at } of added) known.add(id + at.getTime());
        return sound.record(added.map(withNewId));
      },
    };
  },
  costsAreNumbers: (sound) => ({
    record: (rows) => sound.record(rows.map((row) => ({ ...row, cost: BigInt(Number(row.cost)) }))),
  }),
  timelineLost: recording((row) => ({ ...row, timeline: [] })),
  tagsJoined: recording((row) => ({ ...row, tags: row.tags.length === 0 ? [] : row.tags.join(",").split(",") })),
  upstreamFailuresIgnored: recording((row) => ({ ...row, ending: "complete" })),
  failedIgnored: (sound) => ({
    list: ({ filter: { failed: _, ...filter } = {}, ...query }) => sound.list({ ...query, filter }),
  }),
  refusedAreFailed: summing((row) => ({ ...row, failed: row.failed + row.refused })),
  answersForgotten: recording(({ answerId: _, ...row }) => row),
  failedAttemptsForgotten: recording(({ attemptsByTarget: _, ...row }) => row),
  attemptsOfPartsOfHours: (sound) => ({
    attempts: async ({ from, to }) => {
      const hour = 3_600_000;
      const first = new Date(Math.ceil(from.getTime() / hour) * hour);
      return sound.attempts({ from: first, to });
    },
  }),
  tagIgnored: (sound) => ({
    list: ({ filter: { tag: _, ...filter } = {}, ...query }) => sound.list({ ...query, filter }),
  }),
  marginOfAll: summing((row) => ({ ...row, costWithUpstream: row.cost })),
  bordersExcluded: recording((row) => ({ ...row, durationMs: row.durationMs + 1 })),
  firstContentsOfAll: summing((row) => ({ ...row, firstContents: row.durations })),
  cachedTokensForgotten: summing((row) => ({ ...row, tokens: { ...row.tokens, cachedInput: 0 } })),
  othersForgotten: (sound) => ({
    summary: async (query) => (await sound.summary(query)).filter(({ others }) => !others),
  }),
  topOfEachBucket: (sound) => ({
    summary: async (query) => {
      const days = Array.from({ length: 31 }, (_, day) => query.from.getTime() + day * 86_400_000);
      if (query.bucket !== "day") return sound.summary(query);
      const rows = await Promise.all(
        days.map(async (day) => sound.summary({ ...query, from: new Date(day), to: new Date(day + 86_400_000) })),
      );
      return rows.flat();
    },
  }),
  groupedByModelOnly: (sound) => ({
    summary: (query) => sound.summary({ ...query, ...(query.groupBy && { groupBy: "model" }) }),
  }),
  orderedByName: (sound) => ({
    summary: async (query) =>
      [...(await sound.summary(query))].sort((one, other) => ((one.group ?? "") < (other.group ?? "") ? -1 : 1)),
  }),
  endIncluded: (sound) => ({
    summary: (query) => sound.summary({ ...query, to: new Date(query.to.getTime() + 1) }),
  }),
  rangesRounded: (sound) => ({
    summary: (query) => sound.summary({ ...query, from: startOfDay(query.from) }),
  }),
  monthsOfThirtyDays: (sound) => ({
    summary: (query) => sound.summary(query.bucket === "month" ? { ...query, bucket: "day" } : query),
  }),
  hoursAreDays: (sound) => ({
    summary: (query) => sound.summary(query.bucket === "hour" ? { ...query, bucket: "day" } : query),
  }),
  oldestFirst: (sound) => ({
    list: async (query) => {
      const { rows, ...page } = await sound.list(query);
      return { ...page, rows: [...rows].reverse() };
    },
  }),
  cursorWithoutId: (sound) => ({
    list: (query) => sound.list({ ...query, ...(query.before && { before: { ...query.before, id: "" } }) }),
  }),
  nextAlways: (sound) => ({
    list: async (query) => {
      const page = await sound.list(query);
      const last = page.rows.at(-1);
      return last === undefined ? page : { ...page, next: last };
    },
  }),
  endListed: (sound) => ({
    list: ({ to, ...query }) => sound.list({ ...query, ...(to && { to: new Date(to.getTime() + 1) }) }),
  }),
  pruneIncludesDate: (sound) => ({ prune: (before) => sound.prune(new Date(before.getTime() + 1)) }),
  totalsPruned: (sound) => {
    let pruned = new Date(0);
    return {
      prune: (before) => {
        pruned = before;
        return sound.prune(before);
      },
      summary: (query) => sound.summary({ ...query, from: query.from < pruned ? pruned : query.from }),
    };
  },
} satisfies Readonly<Record<string, Mutation>>;

/** A memory store with one of the mutations; without a name, a sound one. */
export function mutantUsageStore(name?: keyof typeof usageMutations): UsageStore {
  const sound = memoryUsageStore();
  return name === undefined ? sound : withOverrides<UsageStore>(sound, usageMutations[name](sound));
}

function recording(change: (row: UsageRow) => UsageRow): Mutation {
  return (sound) => ({ record: (rows) => sound.record(rows.map(change)) });
}

function summing(change: (row: UsageSummaryRow) => UsageSummaryRow): Mutation {
  return (sound) => ({ summary: async (query) => (await sound.summary(query)).map(change) });
}

const withNewId = (row: UsageRow): UsageRow => ({ ...row, id: crypto.randomUUID() });

const startOfDay = (at: Date): Date => new Date(Math.floor(at.getTime() / 86_400_000) * 86_400_000);
