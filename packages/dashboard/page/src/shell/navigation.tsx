import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Button } from "../design/controls.tsx";
import { pages, type Segment } from "../state/location.ts";
import { me } from "../state/me.ts";

/** The pages on the left; below 720 px a bar with a menu. */
export function Navigation({ current, showKeys }: { readonly current: Segment; readonly showKeys: () => void }) {
  const open = useSignal(false);
  useEffect(() => {
    open.value = false;
  }, [current]);
  useEffect(() => {
    const onKey = ({ key }: KeyboardEvent): void => {
      if (key === "Escape") open.value = false;
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  return (
    <header class="navigation">
      <div class="brand">
        <a href="usage">Tollgate</a>
        <Button
          look="quiet menu-button"
          aria-expanded={open.value}
          aria-controls="pages"
          onClick={() => (open.value = !open.value)}
        >
          Menu
        </Button>
      </div>
      <div id="pages" class={open.value ? "menu open" : "menu"}>
        <nav aria-label="Pages">
          <ul>
            {pages.map(({ segment, name }) => (
              <li key={segment}>
                <a
                  href={segment}
                  aria-current={segment === current ? "page" : undefined}
                  onClick={() => (open.value = false)}
                >
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <Who showKeys={showKeys} />
      </div>
    </header>
  );
}

/** Who is signed in, and the list of keys. */
function Who({ showKeys }: { readonly showKeys: () => void }) {
  return (
    <div class="who">
      {me.value !== undefined && (
        <p title={`Tollgate ${me.value.version}`}>
          <span class="actor">{me.value.actor}</span>
          <span class="muted">
            {me.value.role}
            {me.value.sign_out_url !== null && (
              <>
                {" · "}
                <a href={signOutAddress(me.value.sign_out_url)} target="_top">
                  Sign out
                </a>
              </>
            )}
          </span>
        </p>
      )}
      <Button look="quiet small" onClick={showKeys} aria-label="List the keys">
        <kbd>?</kbd>
      </Button>
    </div>
  );
}

/** The page's own address gets a number, by which the server knows whether it refused this visit before. */
const signOutAddress = (url: string): string => (url === "sign-out" ? `${url}?visit=${Date.now()}` : url);
