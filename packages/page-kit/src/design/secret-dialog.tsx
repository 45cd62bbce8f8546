import { useSignal } from "@preact/signals";
import { fill, texts } from "../texts.ts";
import { copy } from "./announcements.tsx";
import { CodeBlock } from "./code-block.tsx";
import { Button } from "./controls.tsx";
import { Dialog } from "./dialog.tsx";
import type { ApiSnippets } from "./snippets.ts";

interface SecretDialogProps {
  /** The name of the key, or its id. */
  readonly name: string;
  readonly secret: string;
  /** First requests with the key. Null: the address of the router is not known. */
  readonly apis: readonly ApiSnippets[] | null;
  readonly onClose: () => void;
}

/** The secret of a new key, which is shown only here, with examples that use it. Only its button closes it. */
export function SecretDialog({ name, secret, apis, onClose }: SecretDialogProps) {
  return (
    <Dialog title={fill(texts.secret.title, { name })} onClose={onClose} dismissible={false} wide>
      <p>{texts.secret.once}</p>
      <div class="secret">
        <code>{secret}</code>
        <Button look="primary" data-first-focus onClick={() => void copy(secret)}>
          {texts.secret.copy}
        </Button>
      </div>
      {apis === null ? <p class="muted">{texts.secret.noUrl}</p> : <KeySnippets apis={apis} />}
      <div class="dialog-actions">
        <Button onClick={onClose}>{texts.secret.done}</Button>
      </div>
    </Dialog>
  );
}

/** The snippets of one API and one client, with tabs that choose others. */
function KeySnippets({ apis }: { readonly apis: readonly ApiSnippets[] }) {
  const chosenApi = useSignal("");
  const chosenSnippet = useSignal("");
  const api = apis.find((each) => each.api === chosenApi.value) ?? apis[0];
  const snippet = api?.snippets.find(({ name }) => name === chosenSnippet.value) ?? api?.snippets[0];
  return (
    <div class="stack">
      {apis.length > 1 && (
        <Tabs label={texts.secret.api} names={apis.map((each) => each.api)} chosen={api?.api} onChoose={chosenApi} />
      )}
      {api !== undefined && (
        <Tabs
          label={texts.secret.client}
          names={api.snippets.map(({ name }) => name)}
          chosen={snippet?.name}
          onChoose={chosenSnippet}
        />
      )}
      {snippet !== undefined && <CodeBlock label={snippet.name} code={snippet.code} />}
    </div>
  );
}

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
