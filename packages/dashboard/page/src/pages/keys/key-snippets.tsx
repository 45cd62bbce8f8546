import { useSignal } from "@preact/signals";
import { read } from "../../api/client.ts";
import type { Page } from "../../api/common.ts";
import type { CreatedKey, Plan } from "../../api/keys.ts";
import type { Model } from "../../api/models.ts";
import { CodeBlock } from "../../design/code-block.tsx";
import { snippetsFor } from "../../design/snippets.ts";
import { me } from "../../state/me.ts";
import { useResource } from "../../state/resource.ts";
import { servedUrl } from "../../state/served-url.ts";

/** First requests with a new key, in each API that the router serves, the key has and one of its models answers. */
export function KeySnippets({ created: { key, secret } }: { readonly created: CreatedKey }) {
  const models = useResource<Page<Model>>("models", (signal) => read("models", {}, signal));
  const plans = useResource<Page<Plan>>("plans", (signal) => read("plans", {}, signal));
  const chosenApi = useSignal("");
  const chosenSnippet = useSignal("");
  const baseUrl = servedUrl("router_url");
  if (baseUrl === null) return <p class="muted">Set the URL of the router in the gateway to see examples here.</p>;
  const usable = models.data.value?.data.filter(({ id }) => key.models?.includes(id) ?? true) ?? [];
  const modelOf = (dialect: string) => usable.find(({ kind }) => kind === kindOf(dialect))?.id;
  const allowed = me.value?.served.filter((dialect) => hasDialect(key, plans.data.value?.data, dialect)) ?? [];
  const apis = snippetsFor(allowed, { baseUrl, secret }, modelOf);
  const api = apis.find((each) => each.api === chosenApi.value) ?? apis[0];
  const snippet = api?.snippets.find(({ name }) => name === chosenSnippet.value) ?? api?.snippets[0];
  return (
    <div class="stack">
      {apis.length > 1 && (
        <Tabs label="API" names={apis.map((each) => each.api)} chosen={api?.api} onChoose={chosenApi} />
      )}
      {api !== undefined && (
        <Tabs
          label="Client"
          names={api.snippets.map(({ name }) => name)}
          chosen={snippet?.name}
          onChoose={chosenSnippet}
        />
      )}
      {snippet !== undefined && <CodeBlock label={snippet.name} code={snippet.code} />}
    </div>
  );
}

/** False while the plans are loading, since the plan may lack the dialect. */
function hasDialect(key: CreatedKey["key"], plans: readonly Plan[] | undefined, dialect: string): boolean {
  const plan = plans?.find(({ id }) => id === key.plan);
  return plan !== undefined && [key, plan].every(({ dialects }) => dialects?.some((each) => each === dialect) ?? true);
}

const kindOf = (dialect: string): Model["kind"] => (dialect === "embeddings" ? "embedding" : "chat");

interface TabsProps {
  readonly label: string;
  readonly names: readonly string[];
  readonly chosen: string | undefined;
  readonly onChoose: { value: string };
}

function Tabs({ label, names, chosen, onChoose }: TabsProps) {
  return (
    <fieldset class="tabs" aria-label={label}>
      {names.map((name) => (
        <button
          key={name}
          type="button"
          class="button small"
          aria-pressed={name === chosen}
          onClick={() => {
            onChoose.value = name;
          }}
        >
          {name}
        </button>
      ))}
    </fieldset>
  );
}
