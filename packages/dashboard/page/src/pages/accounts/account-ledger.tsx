import { useSignal } from "@preact/signals";
import type { LedgerEntry } from "../../api/accounts.ts";
import { address } from "../../api/client.ts";
import type { Choices } from "../../design/choices.ts";
import { entryNames } from "../../design/entry-name.ts";
import { EntryReceipt } from "../../design/entry-receipt.tsx";
import { Problem } from "../../design/problem.tsx";
import { Section } from "../../design/section.tsx";
import { Select } from "../../design/select.tsx";
import { Skeleton } from "../../design/skeleton.tsx";
import { useList } from "../../state/list.ts";
import { type Address, useAddress } from "../../state/location.ts";
import { LedgerLine } from "./ledger-line.tsx";

const noEntries = "No entries yet. A credit or the first charge is the first entry.";

/** The entries of an account's ledger. One opens with its receipt. */
export function AccountLedger({ account }: { readonly account: string }) {
  const path = `accounts/${encodeURIComponent(account)}/entries`;
  const at = useAddress();
  const query = entryQuery(at.query);
  const list = useList<LedgerEntry>(path, query, ({ sequence }) => sequence);
  const opened = useSignal<string | undefined>(undefined);
  const page = list.data.value;
  const isFiltered = Object.values(query).some((value) => value !== undefined);
  const csv = (
    <a class="button small" href={address(path, { ...query, format: "csv" })} download={`ledger-${account}.csv`}>
      Export CSV
    </a>
  );
  return (
    <Section title="Ledger" actions={csv}>
      <EntryFilters at={at} />
      <Problem error={list.error.value} retry={list.reload} />
      {page === undefined && list.error.value === undefined && <Skeleton lines={5} />}
      {page?.data.length === 0 && (isFiltered ? <NoMatch at={at} /> : <p class="muted">{noEntries}</p>)}
      <ul class="ledger">
        {page?.data.map((entry) => {
          const id = String(entry.sequence);
          return (
            <li key={id}>
              <LedgerLine
                entry={entry}
                open={opened.value === id}
                toggle={() => (opened.value = opened.value === id ? undefined : id)}
              />
              {opened.value === id && <EntryReceipt entry={entry} />}
            </li>
          );
        })}
      </ul>
      <div class="list-foot">
        {list.fresh.value && (
          <button type="button" class="button small" onClick={() => void list.reload()}>
            Show new entries
          </button>
        )}
        {page?.next != null && (
          <button type="button" class="button small" onClick={() => void list.more()}>
            Load more
          </button>
        )}
      </div>
    </Section>
  );
}

/** The parameters of the address that filter entries, removed. */
export const noEntryFilter = { kind: undefined, from: undefined, to: undefined };

const kinds: Choices = [["", "All"], ...Object.entries(entryNames)];

/** Filters by kind and by days in the viewer's zone. */
function EntryFilters({ at }: { readonly at: Address }) {
  return (
    <div class="toolbar">
      <Select label="Kind" value={at.query["kind"] ?? ""} choices={kinds} onChange={(kind) => at.go({ kind }, true)} />
      {(["from", "to"] as const).map((name) => (
        <label key={name} class="select">
          <span class="muted">{name === "from" ? "From" : "To"}</span>
          <input
            type="date"
            value={at.query[name] ?? ""}
            onChange={(event) => at.go({ [name]: event.currentTarget.value }, true)}
          />
        </label>
      ))}
    </div>
  );
}

function NoMatch({ at }: { readonly at: Address }) {
  return (
    <p class="muted">
      No entry matches. <a href={at.href(noEntryFilter)}>Clear filters</a>
    </p>
  );
}

function entryQuery({ kind, from, to }: Address["query"]) {
  return { kind, from: startOfDay(from, 0), to: startOfDay(to, 1) };
}

/** Returns the start of a day in the viewer's zone, or of one after it. Undefined for no day. */
function startOfDay(day: string | undefined, after: number): string | undefined {
  const [year, month, date] =
    /^(\d{4})-(\d\d)-(\d\d)$/
      .exec(day ?? "")
      ?.slice(1)
      .map(Number) ?? [];
  if (year === undefined || month === undefined || date === undefined) return undefined;
  return new Date(year, month - 1, date + after).toISOString();
}
