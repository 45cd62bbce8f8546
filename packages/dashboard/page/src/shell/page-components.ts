import type { ComponentType } from "preact";
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
import type { Segment } from "../state/location.ts";

/** The component of each page. */
export const pageComponents: Readonly<Record<Segment, ComponentType>> = {
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
