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
