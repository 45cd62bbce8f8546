import { useSignal } from "@preact/signals";
import { read } from "../../api/client.ts";
import type { Page } from "../../api/common.ts";
import type { CreatedKey } from "../../api/keys.ts";
import type { Model } from "../../api/models.ts";
import { copy } from "../../design/announcements.tsx";
import { CodeBlock } from "../../design/code-block.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { snippetsFor } from "../../design/snippets.ts";
import { me } from "../../state/me.ts";
import { useResource } from "../../state/resource.ts";
import { servedUrl } from "../../state/served-url.ts";

interface SecretDialogProps {
  readonly created: CreatedKey;
  readonly onClose: () => void;
}

/** The secret of a new key, which is shown only here, with examples that use it. Only its button closes it. */
export function SecretDialog({ created, onClose }: SecretDialogProps) {
  const { key, secret } = created;
  return (
    <Dialog title={`Copy the secret of ${key.name ?? key.id}`} onClose={onClose} dismissible={false} wide>
      <p>This is the only time that the secret is shown. Store it where your other secrets are.</p>
      <div class="secret">
        <code>{secret}</code>
        <button type="button" class="button primary" data-first-focus onClick={() => void copy(secret)}>
          Copy secret
        </button>
      </div>
      <Snippets created={created} />
      <div class="dialog-actions">
        <button type="button" class="button" onClick={onClose}>
          Done
        </button>
      </div>
    </Dialog>
  );
}

function Snippets({ created: { key, secret } }: { readonly created: CreatedKey }) {
  const models = useResource<Page<Model>>("models", (signal) => read("models", {}, signal));
  const chosen = useSignal(0);
  const baseUrl = servedUrl("router_url");
  const model = key.models?.[0] ?? models.data.value?.data[0]?.id ?? "model";
  if (baseUrl === null) return <p class="muted">Set the URL of the router in the gateway to see examples here.</p>;
  const snippets = snippetsFor(me.value?.served ?? [], { baseUrl, secret, model });
  const snippet = snippets[chosen.value] ?? snippets[0];
  return (
    <div class="stack">
      <div class="tabs">
        {snippets.map(({ name }, index) => (
          <button
            key={name}
            type="button"
            class="button small"
            aria-pressed={snippet?.name === name}
            onClick={() => (chosen.value = index)}
          >
            {name}
          </button>
        ))}
      </div>
      {snippet !== undefined && <CodeBlock label={snippet.name} code={snippet.code} />}
    </div>
  );
}
