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
