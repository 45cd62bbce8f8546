import { useSignal } from "@preact/signals";
import { change } from "@tollgate/page-kit/api/client.ts";
import { announce } from "@tollgate/page-kit/design/announcements.tsx";
import { Button } from "@tollgate/page-kit/design/controls.tsx";
import { type Column, DataTable } from "@tollgate/page-kit/design/data-table.tsx";
import { FormDialog } from "@tollgate/page-kit/design/dialog.tsx";
import { SelectField, TextField } from "@tollgate/page-kit/design/fields.tsx";
import { FilterChips, SearchField } from "@tollgate/page-kit/design/filters.tsx";
import { EmptyState, PageHeader, Section } from "@tollgate/page-kit/design/layout.tsx";
import { ListTable } from "@tollgate/page-kit/design/list-table.tsx";
import { Problem } from "@tollgate/page-kit/design/loaded.tsx";
import { Badge } from "@tollgate/page-kit/design/states.tsx";
import { Time } from "@tollgate/page-kit/design/values.tsx";
import { useList } from "@tollgate/page-kit/state/list.ts";
import { type Address, useAddress } from "@tollgate/page-kit/state/location.ts";
import { useResource } from "@tollgate/page-kit/state/resource.ts";
import type { TermsVersion } from "../../api/answers.ts";
import { operation } from "../../api/operations.ts";
import { may } from "../../state/me.ts";

/** The versions of the terms, and who has accepted them. */
export function TermsPage() {
  const at = useAddress();
  const terms = useResource(operation("GET", "/terms"), {}, 60_000);
  const accepting = useSignal(false);
  const changes = useSignal(0);
  const versions = terms.data.value?.data;
  return (
    <>
      <PageHeader title="Terms" updatedAt={terms.updatedAt.value}>
        {may("operator") && (versions?.length ?? 0) > 0 && (
          <Button look="primary" onClick={() => (accepting.value = true)}>
            Record an acceptance
          </Button>
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

const acceptances = operation("GET", "/terms/acceptances");

function Acceptances({ at, versions }: { readonly at: Address; readonly versions: readonly TermsVersion[] }) {
  const query = { account: at.query["account"], version_id: at.query["version"] };
  const list = useList(acceptances, query, (each) => `${each.account} ${each.version_id}`);
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
        address={at}
        opens={null}
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

interface AcceptDialogProps {
  readonly versions: readonly TermsVersion[];
  readonly inForce: string | null;
  readonly onClose: () => void;
  readonly onAccepted: () => unknown;
}

/** Records that an account has accepted a version outside the gateway. */
function AcceptDialog({ versions, inForce, onClose, onAccepted }: AcceptDialogProps) {
  const account = useSignal("");
  const version = useSignal(inForce ?? versions[0]?.id ?? "");
  return (
    <FormDialog
      title="Record an acceptance"
      action="Record"
      send={() => {
        const accept = operation("POST", "/accounts/:id/terms", account.value.trim());
        return change(accept, { version_id: version.value });
      }}
      onDone={() => {
        announce("Recorded");
        onClose();
        onAccepted();
      }}
      onClose={onClose}
    >
      <p class="muted">Only for an account that has accepted these terms. The audit log keeps your name.</p>
      <TextField label="Account" value={account} input={{ required: true, autocomplete: "off" }} first />
      <SelectField
        label="Version"
        value={version.value}
        choices={versions.map((each) => [each.id, each.version])}
        onChange={(id) => (version.value = id)}
      />
    </FormDialog>
  );
}
