import type { UsageQuery, UsageRow, UsageStore, UsageSummaryRow } from "@tollgate/core/store";
import type { OpenedWithDefaults } from "../suite.ts";

/** The context of a case: the store, and names and a month that only this case uses. */
export interface UsageContext extends OpenedWithDefaults<UsageStore> {
  readonly account: string;
  readonly key: string;
  readonly model: string;
  /** The start of a month, in milliseconds since the Unix epoch. The next two months belong to the case too. */
  readonly month: number;
  /** Returns a row of the case, at `month` plus `afterMs`. */
  row(afterMs: number, overrides?: Partial<UsageRow>): UsageRow;
  /** Returns the summary of the account for the month, by default in one bucket. */
  summary(query?: Partial<UsageQuery>, client?: UsageStore): Promise<readonly UsageSummaryRow[]>;
}

/** The length of a day in milliseconds. */
export const dayMs = 86_400_000;
/** The length of an hour in milliseconds. */
export const hourMs = 3_600_000;

// A case must not use the months of another one, because the totals of an unfiltered summary contain all rows.
let nextMonth = Math.floor(Math.random() * 12 * 150);

/** Creates the context of a case. */
export function usageContext(opened: OpenedWithDefaults<UsageStore>): UsageContext {
  const id = crypto.randomUUID();
  const names = { account: `account-${id}`, key: `key-${id}`, model: `model-${id}` };
  nextMonth += 3;
  const monthIndex = nextMonth;
  const month = Date.UTC(2000, monthIndex);
  return {
    ...opened,
    ...names,
    month,
    row: (afterMs, overrides = {}) => ({
      ...plainRow,
      id: crypto.randomUUID(),
      at: new Date(month + afterMs),
      requestId: `req_${id}`,
      account: names.account,
      keyId: names.key,
      model: names.model,
      ...overrides,
    }),
    summary: async (query = {}, client = opened.store) => {
      const range = { from: new Date(month), to: new Date(Date.UTC(2000, monthIndex + 1)) };
      return client.summary({ ...range, bucket: "all", filter: { account: names.account }, ...query });
    },
  };
}

const plainRow = {
  plan: "pro",
  endpoint: "chat.completions",
  dialect: "chat",
  target: { provider: "acme", upstreamModel: "up-1" },
  status: 200,
  ending: "complete",
  tokens: { input: 10, cachedInput: 3, cacheWrite5m: 2, cacheWrite1h: 1, output: 20, reasoning: 5 },
  estimated: false,
  cost: 100n,
  durationMs: 1_234,
  attempts: 1,
  tags: [],
  timeline: [],
} as const satisfies Partial<UsageRow>;

/** Returns the bucket and group of each row with its requests, as `start group requests`; hours after `month`. */
export function brief(month: number, rows: readonly UsageSummaryRow[]): string[] {
  return rows.map(({ start, group, others, requests }) => {
    const name = others ? "(others)" : (group ?? "(none)");
    return `${(start.getTime() - month) / hourMs} ${name} ${requests}`;
  });
}
