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
export const requestFilters = { any_id: "Request or answer id", ...usageFilters } as const;

/** The parameters that choose requests by how they ended, with their names. */
export const outcomeFilters = { failed: "Failed", refused: "Refused" } as const;

/** Returns the filters that an address sets, as parameters of the API. */
export function filterQuery(
  query: Readonly<Record<string, string>>,
  filters: Readonly<Record<string, string>>,
): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(
    [...Object.keys(filters), ...Object.keys(outcomeFilters)].map((name) => [name, query[name]]),
  );
}
