/** The parameters that filter usage, with their names. */
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
} as const;

/** The parameters that filter requests, with their names. */
export const requestFilters = { request_id: "Request id", ...usageFilters } as const;

/** Returns the filters that an address sets, as parameters of the API. */
export function filterQuery(
  query: Readonly<Record<string, string>>,
  filters: Readonly<Record<string, string>>,
): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries([...Object.keys(filters), "failed"].map((name) => [name, query[name]]));
}
