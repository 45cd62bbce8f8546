import { Shell, Who } from "@tollgate/page-kit/shell/shell.tsx";
import { currency } from "@tollgate/page-kit/state/currency.ts";
import { startAt, useAddress } from "@tollgate/page-kit/state/location.ts";
import { useResource } from "@tollgate/page-kit/state/resource.ts";
import type { ComponentType } from "preact";
import { operation } from "../api/operations.ts";
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
import { me } from "../state/me.ts";
import { pages, type Segment } from "./pages.ts";

startAt(pages[0].segment);

/** The dashboard: navigation, the page of the address, and messages. */
export function App() {
  const { segment } = useAddress();
  const loaded = useResource(operation("GET", "/me"));
  me.value = loaded.data.value;
  currency.value = me.value?.currency ?? null;
  const page = pages.find((each) => each.segment === segment) ?? pages[0];
  const Page = pageComponents[page.segment];
  return (
    <Shell
      brand="Tollgate"
      pages={pages}
      current={page}
      me={loaded}
      who={({ actor, role, version, sign_out_url }) => (
        <Who
          name={actor}
          role={role}
          title={`Tollgate ${version}`}
          signOutUrl={sign_out_url === null ? null : signOutAddress(sign_out_url)}
        />
      )}
    >
      {() => <Page key={page.segment} />}
    </Shell>
  );
}

/** The page's own address gets a number, by which the server knows whether it refused this visit before. */
const signOutAddress = (url: string): string => (url === "sign-out" ? `${url}?visit=${Date.now()}` : url);

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
