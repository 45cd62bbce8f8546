import { useSignal } from "@preact/signals";
import type { LedgerEntry } from "../../api/accounts.ts";
import { address } from "../../api/client.ts";
import { EntryReceipt } from "../../design/entry-receipt.tsx";
import { Problem } from "../../design/problem.tsx";
import { Section } from "../../design/section.tsx";
import { Skeleton } from "../../design/skeleton.tsx";
import { useList } from "../../state/list.ts";
import { LedgerLine } from "./ledger-line.tsx";

/** The entries of an account's ledger. One opens with its receipt. */
export function AccountLedger({ account }: { readonly account: string }) {
  const path = `accounts/${encodeURIComponent(account)}/entries`;
  const list = useList<LedgerEntry>(path, {}, ({ sequence }) => sequence);
  const opened = useSignal<string | undefined>(undefined);
  const page = list.data.value;
  const csv = (
    <a class="button small" href={address(path, { format: "csv" })} download={`ledger-${account}.csv`}>
      Export CSV
    </a>
  );
  return (
    <Section title="Ledger" actions={csv}>
      <Problem error={list.error.value} retry={list.reload} />
      {page === undefined && list.error.value === undefined && <Skeleton lines={5} />}
      {page?.data.length === 0 && <p class="muted">No entries yet. A credit or the first charge is the first entry.</p>}
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
