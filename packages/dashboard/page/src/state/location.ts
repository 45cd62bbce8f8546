import { useLocation } from "preact-iso/router";

/** The pages in the order of the navigation, with their segment of the path. */
export const pages = [
  { segment: "usage", name: "Usage" },
  { segment: "requests", name: "Requests" },
  { segment: "keys", name: "Keys" },
  { segment: "accounts", name: "Accounts" },
  { segment: "models", name: "Models" },
  { segment: "terms", name: "Terms" },
  { segment: "conversations", name: "Conversations" },
  { segment: "assistants", name: "Assistants" },
  { segment: "playground", name: "Playground" },
  { segment: "audit", name: "Audit" },
  { segment: "health", name: "Health" },
] as const;

/** The last segment of the path of a page. */
export type Segment = (typeof pages)[number]["segment"];

/** Changes of the query; undefined removes a parameter. */
type QueryChanges = Readonly<Record<string, string | undefined>>;

/** The path of the mount with its slash, at which the page was loaded. */
const base = new URL(".", window.location.href).pathname;

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
  const segment = path.startsWith(base) && path !== base ? path.slice(base.length) : pages[0].segment;
  const href = (changes: QueryChanges): string => addressOf(segment, { ...query, ...changes });
  return { segment, query, href, go: (changes, replace) => route(base + href(changes), replace) };
}

/** Returns the relative address of a page with parameters. */
export function addressOf(segment: string, query: QueryChanges = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") search.set(name, value);
  }
  const text = search.toString();
  return text === "" ? segment : `${segment}?${text}`;
}
