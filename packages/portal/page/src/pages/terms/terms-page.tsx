import { useSignal } from "@preact/signals";
import { change } from "@tollgate/page-kit/api/client.ts";
import { Button } from "@tollgate/page-kit/design/controls.tsx";
import { type Column, DataTable } from "@tollgate/page-kit/design/data-table.tsx";
import { FormDialog } from "@tollgate/page-kit/design/dialog.tsx";
import { EmptyState, PageHeader } from "@tollgate/page-kit/design/layout.tsx";
import { Problem } from "@tollgate/page-kit/design/loaded.tsx";
import { Badge } from "@tollgate/page-kit/design/states.tsx";
import { Time } from "@tollgate/page-kit/design/values.tsx";
import { useResource } from "@tollgate/page-kit/state/resource.ts";
import { fill } from "@tollgate/page-kit/texts.ts";
import type { OwnTerms } from "../../api/answers.ts";
import { operation } from "../../api/operations.ts";
import { may, me } from "../../state/me.ts";
import { texts } from "../../texts.ts";

/** The versions of the terms, and which the account has accepted. */
export function TermsPage() {
  const terms = useResource(operation("GET", "/terms"));
  const accepting = useSignal<OwnTerms | undefined>(undefined);
  const versions = terms.data.value?.data;
  const open = versions?.find((each) => each.in_force && each.accepted_at === null);
  return (
    <>
      <PageHeader title={texts.pages.terms}>
        {open !== undefined && may("terms") && (
          <Button look="primary" onClick={() => (accepting.value = open)}>
            {texts.terms.accept}
          </Button>
        )}
      </PageHeader>
      <Problem error={terms.error.value} retry={terms.reload} />
      {versions?.length === 0 ? (
        <EmptyState title={texts.terms.empty}>{texts.terms.emptyHint}</EmptyState>
      ) : (
        <DataTable label={texts.pages.terms} columns={columns()} rows={versions} identify={({ id }) => id} />
      )}
      {accepting.value !== undefined && (
        <AcceptDialog
          terms={accepting.value}
          onClose={() => (accepting.value = undefined)}
          onDone={() => {
            accepting.value = undefined;
            void terms.reload();
          }}
        />
      )}
    </>
  );
}

const columns = (): readonly Column<OwnTerms>[] => [
  { header: texts.terms.version, cell: ({ version }) => version },
  {
    header: texts.terms.accepted,
    cell: ({ accepted_at, in_force }) =>
      accepted_at === null ? (
        <Badge tone={in_force ? "warning" : "neutral"}>{texts.terms.not}</Badge>
      ) : (
        <Time at={accepted_at} />
      ),
  },
  { header: texts.terms.enforced, wideOnly: true, cell: ({ enforcement_at }) => <Time at={enforcement_at} dayOnly /> },
  {
    header: texts.terms.read,
    cell: ({ accept_url }) => (
      <a href={accept_url} target="_blank" rel="noreferrer">
        {texts.terms.read}
      </a>
    ),
  },
];

interface AcceptDialogProps {
  readonly terms: OwnTerms;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function AcceptDialog({ terms: { id, version }, onClose, onDone }: AcceptDialogProps) {
  return (
    <FormDialog
      title={fill(texts.terms.acceptTitle, { version })}
      action={texts.terms.acceptAction}
      send={() => change(operation("POST", "/terms"), { version_id: id })}
      onDone={onDone}
      onClose={onClose}
    >
      <p>{fill(texts.terms.acceptText, { account: me.value?.account ?? "" })}</p>
    </FormDialog>
  );
}
