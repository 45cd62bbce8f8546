import { PageHeader } from "@tollgate/page-kit/design/layout.tsx";
import { Loaded } from "@tollgate/page-kit/design/loaded.tsx";
import { useResource } from "@tollgate/page-kit/state/resource.ts";
import { operation } from "../../api/operations.ts";
import { texts } from "../../texts.ts";
import { NoticesForm } from "./notices-form.tsx";

/** Which notices the account wants, and to which address. */
export function NoticesPage() {
  const notices = useResource(operation("GET", "/notices"));
  return (
    <>
      <PageHeader title={texts.pages.notices} />
      <Loaded resource={notices}>{(known) => <NoticesForm known={known} />}</Loaded>
    </>
  );
}
