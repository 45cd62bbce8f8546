import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { read } from "../api/client.ts";
import type { Me } from "../api/common.ts";
import { Announcements } from "../design/announcements.tsx";
import { Problem } from "../design/problem.tsx";
import { pages, useAddress } from "../state/location.ts";
import { me } from "../state/me.ts";
import { slow } from "../state/network.ts";
import { useResource } from "../state/resource.ts";
import { useShortcuts } from "../state/shortcuts.ts";
import { KeysDialog } from "./keys-dialog.tsx";
import { Navigation } from "./navigation.tsx";
import { pageComponents } from "./page-components.ts";

/** The dashboard: navigation, the page of the address, and messages. */
export function App() {
  const { segment } = useAddress();
  const showsKeys = useSignal(false);
  const loaded = useResource<Me>("me", (signal) => read("me", {}, signal));
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
