import { SecretDialog } from "@tollgate/page-kit/design/secret-dialog.tsx";
import { snippetsFor } from "@tollgate/page-kit/design/snippets.ts";
import { wholeUrl } from "@tollgate/page-kit/state/location.ts";
import type { CreatedKey, Me } from "../../api/answers.ts";
import { me } from "../../state/me.ts";

/** The secret of a new key, with first requests in each API that the router serves and the key has. */
export function NewSecret({ created, onClose }: { readonly created: CreatedKey; readonly onClose: () => void }) {
  const { key, secret } = created;
  const known = me.value;
  const baseUrl = wholeUrl(known?.router_url ?? null);
  const apis =
    known && baseUrl !== null ? snippetsFor(servedTo(known, key), { baseUrl, secret }, modelOf(known)) : null;
  return <SecretDialog name={key.name ?? key.id} secret={secret} apis={apis ?? null} onClose={onClose} />;
}

const servedTo = ({ served, plan }: Me, key: CreatedKey["key"]): readonly string[] =>
  served.filter((dialect) =>
    [key.dialects, plan?.dialects].every((allowed) => allowed?.some((each) => each === dialect) ?? true),
  );

const modelOf =
  ({ models }: Me) =>
  (dialect: string): string | undefined =>
    models.find(({ kind }) => (kind === "embedding") === (dialect === "embeddings"))?.id;
