/** The parameters that filter usage and requests, with their names. */
export const usageFilters = {
  model: "Model",
  account: "Account",
  key: "Key",
  target: "Target",
  dialect: "Dialect",
  status: "Status",
  session: "Session",
  end_user: "End user",
  tag: "Tag",
  failed: "Failed",
} as const;

/** Returns the filters that an address sets, as parameters of the API. */
export function filterQuery(query: Readonly<Record<string, string>>): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(Object.keys(usageFilters).map((name) => [name, query[name]]));
}
