import { useSignal } from "@preact/signals";
import { read } from "../../api/client.ts";
import type { Acceptance, Terms, TermsVersion } from "../../api/models.ts";
import { Badge } from "../../design/badge.tsx";
import type { Column } from "../../design/data-table.tsx";
import { DataTable } from "../../design/data-table.tsx";
import { EmptyState } from "../../design/empty-state.tsx";
import { FilterChips } from "../../design/filter-chips.tsx";
import { ListTable } from "../../design/list-table.tsx";
import { PageHeader } from "../../design/page-header.tsx";
import { Problem } from "../../design/problem.tsx";
import { SearchField } from "../../design/search-field.tsx";
import { Section } from "../../design/section.tsx";
import { Time } from "../../design/time.tsx";
import { useList } from "../../state/list.ts";
import { type Address, useAddress } from "../../state/location.ts";
import { may } from "../../state/me.ts";
import { useResource } from "../../state/resource.ts";
import { AcceptDialog } from "./accept-dialog.tsx";

const identify = (each: Acceptance): string => `${each.account} ${each.version_id}`;

/** The versions of the terms, and who has accepted them. */
export function TermsPage() {
  const at = useAddress();
  const terms = useResource<Terms>("terms", (signal) => read("terms", {}, signal), { pollMs: 60_000 });
  const accepting = useSignal(false);
  const changes = useSignal(0);
  const versions = terms.data.value?.data;
  return (
    <>
      <PageHeader title="Terms" updatedAt={terms.updatedAt.value}>
        {may("operator") && (versions?.length ?? 0) > 0 && (
          <button type="button" class="button primary" onClick={() => (accepting.value = true)}>
            Record an acceptance
          </button>
        )}
      </PageHeader>
      <Problem error={terms.error.value} retry={terms.reload} />
      {versions?.length === 0 ? (
        <EmptyState title="No terms are configured">
          Without terms, no account has to accept any. Add versions to the options of the gateway.
        </EmptyState>
      ) : (
        <>
          <DataTable
            label="Versions"
            columns={versionColumns(terms.data.value?.in_force ?? null, at)}
            rows={versions}
            identify={({ id }) => id}
          />
          <Acceptances key={changes.value} at={at} versions={versions ?? []} />
        </>
      )}
      {accepting.value && versions !== undefined && (
        <AcceptDialog
          versions={versions}
          inForce={terms.data.value?.in_force ?? null}
          onClose={() => (accepting.value = false)}
          onAccepted={() => changes.value++}
        />
      )}
    </>
  );
}

function versionColumns(inForce: string | null, at: Address): readonly Column<TermsVersion>[] {
  return [
    { header: "Version", cell: (each) => <a href={at.href({ version: each.id })}>{each.version}</a> },
    {
      header: "State",
      cell: (each) =>
        each.id === inForce ? <Badge tone="good">In force</Badge> : <Badge tone="neutral">Not in force</Badge>,
    },
    { header: "Enforced from", cell: (each) => <Time at={each.enforcement_at} dayOnly /> },
    { header: "Address", wideOnly: true, cell: (each) => each.accept_url ?? "–" },
  ];
}

function Acceptances({ at, versions }: { readonly at: Address; readonly versions: readonly TermsVersion[] }) {
  const query = { account: at.query["account"], version_id: at.query["version"] };
  const list = useList<Acceptance>("terms/acceptances", query, identify);
  const versionOf = (id: string): string => versions.find((each) => each.id === id)?.version ?? id;
  return (
    <Section title="Acceptances" level={2}>
      <div class="toolbar">
        <SearchField
          label="Account"
          value={at.query["account"] ?? ""}
          onSearch={(account) => at.go({ account }, true)}
        />
        <FilterChips address={at} filters={{ version: "Version" }} />
      </div>
      <ListTable
        label="Acceptances"
        list={list}
        columns={[
          {
            header: "Account",
            cell: (each) => <a href={`accounts?id=${encodeURIComponent(each.account)}`}>{each.account}</a>,
          },
          { header: "Version", cell: (each) => versionOf(each.version_id) },
          { header: "Accepted", cell: (each) => <Time at={each.accepted_at} dayOnly /> },
        ]}
        identify={identify}
        address={at}
        filters={["account", "version"]}
        empty={
          <EmptyState title="Nobody has accepted yet">
            An acceptance appears here when an account accepts at your address, or when you record one.
          </EmptyState>
        }
      />
    </Section>
  );
}
