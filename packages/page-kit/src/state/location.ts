import { useLocation } from "preact-iso/router";

/** Changes of the query; undefined removes a parameter. */
type QueryChanges = Readonly<Record<string, string | undefined>>;

/** The path of the mount with its slash, at which the page was loaded. */
const base = new URL(".", window.location.href).pathname;

/** The segment of the page that the mount itself shows. */
let home = "";

/** Names the segment of the page that the mount itself shows. Called once, before anything is rendered. */
export function startAt(segment: string): void {
  home = segment;
}

/** The state of the page that the address bar holds. */
export interface Address {
  readonly segment: string;
  readonly query: Readonly<Record<string, string>>;
  /** Returns the relative address of this page with other parameters. */
  href(changes: QueryChanges): string;
  /** Goes there. `replace` adds no entry to the history. */
  go(changes: QueryChanges, replace?: boolean): void;
}

/** Returns the address, and renders again when it changes. */
export function useAddress(): Address {
  const { path, query, route } = useLocation();
  const segment = path.startsWith(base) && path !== base ? path.slice(base.length) : home;
  const href = (changes: QueryChanges): string => addressOf(segment, { ...query, ...changes });
  return { segment, query, href, go: (changes, replace) => route(base + href(changes), replace) };
}

/**
 * Returns the whole URL that the host has named, without a slash at its end. It may name a path, which is one of the page's own
 * origin. Null if the host names nothing.
 */
export const wholeUrl = (named: string | null): string | null =>
  named === null ? null : new URL(named, window.location.href).href.replace(/\/$/, "");

/** Returns the relative address of a page with parameters. */
export function addressOf(segment: string, query: QueryChanges = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") search.set(name, value);
  }
  const text = search.toString();
  return text === "" ? segment : `${segment}?${text}`;
}
