import { SecretDialog as KeySecret } from "@tollgate/page-kit/design/secret-dialog.tsx";
import { snippetsFor } from "@tollgate/page-kit/design/snippets.ts";
import { useConfigured } from "@tollgate/page-kit/state/resource.ts";
import type { CreatedKey, Model, Plan } from "../../api/answers.ts";
import { operation } from "../../api/operations.ts";
import { me, servedUrl } from "../../state/me.ts";

/** The secret of a new key, with first requests in each API that the router serves, the key has and one of its models answers. */
export function SecretDialog({ created, onClose }: { readonly created: CreatedKey; readonly onClose: () => void }) {
  const { key, secret } = created;
  const models = useConfigured(operation("GET", "/models"));
  const plans = useConfigured(operation("GET", "/plans"));
  const baseUrl = servedUrl("router_url");
  const usable = models?.filter(({ id }) => key.models?.includes(id) ?? true) ?? [];
  const modelOf = (dialect: string) => usable.find(({ kind }) => kind === kindOf(dialect))?.id;
  const allowed = me.value?.served.filter((dialect) => hasDialect(key, plans, dialect)) ?? [];
  const apis = baseUrl === null ? null : snippetsFor(allowed, { baseUrl, secret }, modelOf);
  return <KeySecret name={key.name ?? key.id} secret={secret} apis={apis} onClose={onClose} />;
}

/** False while the plans are loading, since the plan may lack the dialect. */
function hasDialect(key: CreatedKey["key"], plans: readonly Plan[] | undefined, dialect: string): boolean {
  const plan = plans?.find(({ id }) => id === key.plan);
  return plan !== undefined && [key, plan].every(({ dialects }) => dialects?.some((each) => each === dialect) ?? true);
}

const kindOf = (dialect: string): Model["kind"] => (dialect === "embeddings" ? "embedding" : "chat");
