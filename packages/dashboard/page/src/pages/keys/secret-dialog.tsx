import { useSignal } from "@preact/signals";
import type { CreatedKey, Model, Plan } from "../../api/answers.ts";
import { copy } from "../../design/announcements.tsx";
import { CodeBlock } from "../../design/code-block.tsx";
import { Button } from "../../design/controls.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { snippetsFor } from "../../design/snippets.ts";
import { me, servedUrl } from "../../state/me.ts";
import { useConfigured } from "../../state/resource.ts";

/** The secret of a new key, which is shown only here, with examples that use it. Only its button closes it. */
export function SecretDialog({ created, onClose }: { readonly created: CreatedKey; readonly onClose: () => void }) {
  const { key, secret } = created;
  return (
    <Dialog title={`Copy the secret of ${key.name ?? key.id}`} onClose={onClose} dismissible={false} wide>
      <p>This is the only time that the secret is shown. Store it where your other secrets are.</p>
      <div class="secret">
        <code>{secret}</code>
        <Button look="primary" data-first-focus onClick={() => void copy(secret)}>
          Copy secret
        </Button>
      </div>
      <KeySnippets created={created} />
      <div class="dialog-actions">
        <Button onClick={onClose}>Done</Button>
      </div>
    </Dialog>
  );
}

/** First requests with a new key, in each API that the router serves, the key has and one of its models answers. */
function KeySnippets({ created: { key, secret } }: { readonly created: CreatedKey }) {
  const models = useConfigured("models");
  const plans = useConfigured("plans");
  const chosenApi = useSignal("");
  const chosenSnippet = useSignal("");
  const baseUrl = servedUrl("router_url");
  if (baseUrl === null) return <p class="muted">Set the URL of the router in the gateway to see examples here.</p>;
  const usable = models?.filter(({ id }) => key.models?.includes(id) ?? true) ?? [];
  const modelOf = (dialect: string) => usable.find(({ kind }) => kind === kindOf(dialect))?.id;
  const allowed = me.value?.served.filter((dialect) => hasDialect(key, plans, dialect)) ?? [];
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
        <Button key={name} look="small" aria-pressed={name === chosen} onClick={() => (onChoose.value = name)}>
          {name}
        </Button>
      ))}
    </fieldset>
  );
}
