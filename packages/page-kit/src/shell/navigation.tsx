import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { Button } from "../design/controls.tsx";
import { texts } from "../texts.ts";

/** A page with its segment of the path. */
export interface PageEntry {
  readonly segment: string;
  readonly name: string;
}

interface NavigationProps {
  readonly brand: string;
  /** The first is the home. */
  readonly pages: readonly PageEntry[];
  readonly current: PageEntry;
  /** Who is signed in. Undefined while it is loading. */
  readonly who: ComponentChildren;
  readonly showKeys: () => void;
}

/** The pages on the left; below 720 px a bar with a menu. */
export function Navigation({ brand, pages, current, who, showKeys }: NavigationProps) {
  const open = useSignal(false);
  useEffect(() => {
    open.value = false;
  }, [current.segment]);
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
        <a href={pages[0]?.segment ?? "./"}>{brand}</a>
        <Button
          look="quiet menu-button"
          aria-expanded={open.value}
          aria-controls="pages"
          onClick={() => (open.value = !open.value)}
        >
          {texts.shell.menu}
        </Button>
      </div>
      <div id="pages" class={open.value ? "menu open" : "menu"}>
        <nav aria-label={texts.shell.pages}>
          <ul>
            {pages.map(({ segment, name }) => (
              <li key={segment}>
                <a
                  href={segment}
                  aria-current={segment === current.segment ? "page" : undefined}
                  onClick={() => (open.value = false)}
                >
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div class="who">
          {who}
          <Button look="quiet small" onClick={showKeys} aria-label={texts.shell.listKeys}>
            <kbd>?</kbd>
          </Button>
        </div>
      </div>
    </header>
  );
}
