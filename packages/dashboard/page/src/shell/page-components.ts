import type { ComponentType } from "preact";
import { KeysPage } from "../pages/keys/keys-page.tsx";
import { RequestsPage } from "../pages/requests/requests-page.tsx";
import { UsagePage } from "../pages/usage/usage-page.tsx";
import type { Segment } from "../state/location.ts";

/** The component of each page. */
export const pageComponents: Readonly<Record<Segment, ComponentType>> = {
  usage: UsagePage,
  requests: RequestsPage,
  keys: KeysPage,
  accounts: UsagePage,
  models: UsagePage,
  terms: UsagePage,
  conversations: UsagePage,
  assistants: UsagePage,
  playground: UsagePage,
  audit: UsagePage,
  health: UsagePage,
};
