import { useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import type { Me } from "../api/answers.ts";
import { Announcements } from "../design/announcements.tsx";
import { Button } from "../design/controls.tsx";
import { Dialog } from "../design/dialog.tsx";
import { Problem } from "../design/loaded.tsx";
import { AccountsPage } from "../pages/accounts/accounts-page.tsx";
import { AssistantsPage } from "../pages/assistants/assistants-page.tsx";
import { AuditPage } from "../pages/audit/audit-page.tsx";
import { ConversationsPage } from "../pages/conversations/conversations-page.tsx";
import { HealthPage } from "../pages/health/health-page.tsx";
import { KeysPage } from "../pages/keys/keys-page.tsx";
import { ModelsPage } from "../pages/models/models-page.tsx";
import { PlaygroundPage } from "../pages/playground/playground-page.tsx";
import { RequestsPage } from "../pages/requests/requests-page.tsx";
import { TermsPage } from "../pages/terms/terms-page.tsx";
import { UsagePage } from "../pages/usage/usage-page.tsx";
import { pages, type Segment, useAddress } from "../state/location.ts";
import { me } from "../state/me.ts";
import { slow } from "../state/network.ts";
import { useResource } from "../state/resource.ts";
import { shortcuts, useShortcuts } from "../state/shortcuts.ts";
import { Navigation } from "./navigation.tsx";

/** The dashboard: navigation, the page of the address, and messages. */
export function App() {
  const { segment } = useAddress();
  const showsKeys = useSignal(false);
  const loaded = useResource<Me>("me");
  me.value = loaded.data.value;
  useShortcuts(() => {
    showsKeys.value = true;
  });
  const page = pages.find((each) => each.segment === segment) ?? pages[0];
  useEffect(() => {
    document.title = `${page.name} · Tollgate`;
  }, [page]);
  const Page = pageComponents[page.segment];
  return (
    <div class="shell">
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <Navigation current={page.segment} showKeys={() => (showsKeys.value = true)} />
      <main id="main" tabIndex={-1}>
        {slow.value && (
          <p class="slow" role="status">
            The network is slow. Still loading…
          </p>
        )}
        <Problem error={loaded.error.value} retry={loaded.reload} />
        {me.value !== undefined && <Page key={page.segment} />}
      </main>
      {showsKeys.value && <KeysDialog onClose={() => (showsKeys.value = false)} />}
      <Announcements />
    </div>
  );
}

const pageComponents: Readonly<Record<Segment, ComponentType>> = {
  usage: UsagePage,
  requests: RequestsPage,
  keys: KeysPage,
  accounts: AccountsPage,
  models: ModelsPage,
  terms: TermsPage,
  conversations: ConversationsPage,
  assistants: AssistantsPage,
  playground: PlaygroundPage,
  audit: AuditPage,
  health: HealthPage,
};

/** The list of keys that `?` shows. */
function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl class="shortcuts">
        {shortcuts.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <div class="dialog-actions">
        <Button onClick={onClose} data-first-focus>
          Close
        </Button>
      </div>
    </Dialog>
  );
}
