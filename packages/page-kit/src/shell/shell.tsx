import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { Announcements } from "../design/announcements.tsx";
import { Button } from "../design/controls.tsx";
import { Dialog } from "../design/dialog.tsx";
import { Problem } from "../design/loaded.tsx";
import { slow } from "../state/network.ts";
import type { Resource } from "../state/resource.ts";
import { shortcuts, useShortcuts } from "../state/shortcuts.ts";
import { texts } from "../texts.ts";
import { Navigation, type PageEntry } from "./navigation.tsx";

interface ShellProps<Me> {
  readonly brand: string;
  readonly pages: readonly PageEntry[];
  readonly current: PageEntry;
  /** Who is signed in. */
  readonly me: Resource<Me>;
  /** Shows who is signed in, below the navigation. */
  readonly who: (me: Me) => ComponentChildren;
  /** The page. It is rendered once it is known who is signed in. */
  readonly children: (me: Me) => ComponentChildren;
}

/** The frame of a page: navigation, the page of the address, and messages. */
export function Shell<Me>({ brand, pages, current, me, who, children }: ShellProps<Me>) {
  const showsKeys = useSignal(false);
  useShortcuts(() => {
    showsKeys.value = true;
  });
  useEffect(() => {
    document.title = `${current.name} · ${brand}`;
  }, [current.segment]);
  const known = me.data.value;
  return (
    <div class="shell">
      <a class="skip" href="#main">
        {texts.shell.skip}
      </a>
      <Navigation
        brand={brand}
        pages={pages}
        current={current}
        who={known !== undefined && who(known)}
        showKeys={() => (showsKeys.value = true)}
      />
      <main id="main" tabIndex={-1}>
        {slow.value && (
          <p class="slow" role="status">
            {texts.shell.slow}
          </p>
        )}
        <Problem error={me.error.value} retry={me.reload} />
        {known !== undefined && children(known)}
      </main>
      {showsKeys.value && <KeysDialog onClose={() => (showsKeys.value = false)} />}
      <Announcements />
    </div>
  );
}

/** The list of keys that `?` shows. */
function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title={texts.shell.keys} onClose={onClose}>
      <dl class="shortcuts">
        {shortcuts.map(([key, name]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{texts.shortcuts[name]}</dd>
          </div>
        ))}
      </dl>
      <div class="dialog-actions">
        <Button onClick={onClose} data-first-focus>
          {texts.actions.close}
        </Button>
      </div>
    </Dialog>
  );
}

interface WhoProps {
  readonly name: string;
  /** What the person is, such as a role. */
  readonly role: string;
  /** What a pointer over the name shows. */
  readonly title?: string;
  /** The address at which the person signs out. Null: there is none. */
  readonly signOutUrl: string | null;
}

/** Who is signed in, with a link to sign out. */
export function Who({ name, role, title, signOutUrl }: WhoProps) {
  return (
    <p title={title}>
      <span class="actor">{name}</span>
      <span class="muted">
        {role}
        {signOutUrl !== null && (
          <>
            {" · "}
            <a href={signOutUrl} target="_top">
              {texts.shell.signOut}
            </a>
          </>
        )}
      </span>
    </p>
  );
}
