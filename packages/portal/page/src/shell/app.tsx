import { Shell, Who } from "@tollgate/page-kit/shell/shell.tsx";
import { currency } from "@tollgate/page-kit/state/currency.ts";
import { useAddress } from "@tollgate/page-kit/state/location.ts";
import { useResource } from "@tollgate/page-kit/state/resource.ts";
import type { ComponentType } from "preact";
import { operation } from "../api/operations.ts";
import { KeysPage } from "../pages/keys/keys-page.tsx";
import { NoticesPage } from "../pages/notices/notices-page.tsx";
import { OverviewPage } from "../pages/overview/overview-page.tsx";
import { PaymentsPage } from "../pages/payments/payments-page.tsx";
import { RequestsPage } from "../pages/requests/requests-page.tsx";
import { TermsPage } from "../pages/terms/terms-page.tsx";
import { UsagePage } from "../pages/usage/usage-page.tsx";
import { me } from "../state/me.ts";
import { texts } from "../texts.ts";

const segments = ["overview", "usage", "keys", "requests", "payments", "terms", "notices"] as const;

const components: Readonly<Record<(typeof segments)[number], ComponentType>> = {
  overview: OverviewPage,
  usage: UsagePage,
  keys: KeysPage,
  requests: RequestsPage,
  payments: PaymentsPage,
  terms: TermsPage,
  notices: NoticesPage,
};

/** The portal: navigation, the page of the address, and messages. */
export function App() {
  const { segment } = useAddress();
  const loaded = useResource(operation("GET", "/me"));
  me.value = loaded.data.value;
  currency.value = me.value?.currency ?? null;
  const shown = segments.filter((each) => each !== "notices" || me.value?.notices === true);
  const current = segments.find((each) => each === segment) ?? segments[0];
  const Page = components[current];
  return (
    <Shell
      brand={texts.pages.brand}
      pages={shown.map((each) => ({ segment: each, name: texts.pages[each] }))}
      current={{ segment: current, name: texts.pages[current] }}
      me={loaded}
      who={({ user, account, sign_out_url }) => <Who name={user} role={account} signOutUrl={sign_out_url} />}
    >
      {() => <Page key={current} />}
    </Shell>
  );
}
