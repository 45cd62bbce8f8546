import type { Route } from "@tollgate/core/internal";

/** The segments of the path at which the page is served; "" is the mount itself. Its state is in the query. */
export const pageNames: readonly string[] = [
  "",
  "usage",
  "requests",
  "keys",
  "accounts",
  "models",
  "terms",
  "conversations",
  "assistants",
  "playground",
  "audit",
  "health",
];

/** The paths of the page, of its assets, and of the visit that ends a login by the browser's own dialog. */
export const pageRoutes: readonly Route<string>[] = [...pageNames, "assets/:id", "sign-out"].map((path) => ({
  name: "page",
  method: "GET",
  pattern: `/${path}`,
}));
