import { type Signal, useSignal } from "@preact/signals";
import { Button, ExportCsv } from "@tollgate/page-kit/design/controls.tsx";
import { EntryReceipt, entryName, entryNames, entrySubject } from "@tollgate/page-kit/design/entry-receipt.tsx";
import { type Choices, Select } from "@tollgate/page-kit/design/fields.tsx";
import { Section } from "@tollgate/page-kit/design/layout.tsx";
import { ListFoot } from "@tollgate/page-kit/design/list-table.tsx";
import { Loaded } from "@tollgate/page-kit/design/loaded.tsx";
import { Money, Time } from "@tollgate/page-kit/design/values.tsx";
import { useList } from "@tollgate/page-kit/state/list.ts";
import { type Address, useAddress } from "@tollgate/page-kit/state/location.ts";
import type { ComponentChildren } from "preact";
import type { LedgerEntry } from "../../api/answers.ts";
import { operation } from "../../api/operations.ts";
import { may } from "../../state/me.ts";
import { canRefund, RefundDialog } from "./refund-dialog.tsx";
import { startOfDay } from "./start-of-day.ts";

const noEntries = "No entries yet. A credit or the first charge is the first entry.";

interface AccountLedgerProps {
  readonly account: string;
  readonly onChanged: () => unknown;
}

/** The entries of an account's ledger. One opens with its receipt, and a charge with its refund. */
export function AccountLedger({ account, onChanged }: AccountLedgerProps) {
  const entries = operation("GET", "/accounts/:id/entries", account);
  const at = useAddress();
  const query = entryQuery(at.query);
  const list = useList(entries, query, ({ sequence }) => sequence);
  const opened = useSignal("");
  const refunded = useSignal<LedgerEntry | undefined>(undefined);
  const closeRefund = (): void => {
    refunded.value = undefined;
  };
  const isFiltered = Object.values(query).some((value) => value !== undefined);
  return (
    <Section
      title="Ledger"
      actions={<ExportCsv list={entries} query={query} name={`ledger-${account}`} look="button small" />}
    >
      <EntryFilters at={at} />
      <Loaded resource={list} lines={5}>
        {({ data }) => (
          <>
            {data.length === 0 && (isFiltered ? <NoEntryMatches at={at} /> : <p class="muted">{noEntries}</p>)}
            <ul class="ledger">
              {data.map((entry) => (
                <LedgerLine key={entry.sequence} entry={entry} opened={opened}>
                  {may("admin") && canRefund(entry, data) && (
                    <Button look="small" onClick={() => (refunded.value = entry)}>
                      Refund
                    </Button>
                  )}
                </LedgerLine>
              ))}
            </ul>
          </>
        )}
      </Loaded>
      <ListFoot list={list} rows="entries" look="small" />
      {refunded.value !== undefined && (
        <RefundDialog account={account} charge={refunded.value} onClose={closeRefund} onRefunded={onChanged} />
      )}
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

function NoEntryMatches({ at }: { readonly at: Address }) {
  return (
    <p class="muted">
      No entry matches. <a href={at.href(noEntryFilter)}>Clear filters</a>
    </p>
  );
}

function entryQuery({ kind, from, to }: Address["query"]) {
  return { kind, from: startOfDay(from), to: startOfDay(to, 1) };
}

interface LedgerLineProps {
  readonly entry: LedgerEntry;
  /** The sequence of the one that is open. */
  readonly opened: Signal<string>;
  /** What can be done with it. */
  readonly children: ComponentChildren;
}

/** One entry in a line, which opens its receipt. */
function LedgerLine({ entry, opened, children }: LedgerLineProps) {
  const isOpen = opened.value === entry.sequence;
  return (
    <li>
      <button
        type="button"
        class="ledger-line"
        aria-expanded={isOpen}
        onClick={() => (opened.value = isOpen ? "" : entry.sequence)}
      >
        <span>
          {entryName(entry)} <span class="muted">{entrySubject(entry)}</span>
        </span>
        <Money amount={entry.amount} exact />
        <span class="muted ledger-time">
          <Time at={entry.at} />
        </span>
      </button>
      {isOpen && (
        <>
          <EntryReceipt entry={entry} />
          {children}
        </>
      )}
    </li>
  );
}
