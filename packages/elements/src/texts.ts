/** The English texts of the elements. `defineElements` takes others. What stands in braces is filled in. */
export const englishTexts = {
  loading: "Loading…",
  retry: "Try again",
  noResponse: "The server did not respond. Check your connection and try again.",
  failed: "The server responded with status {status}. Try again.",
  missing: "This element needs the attribute {name}.",
  noToken: "This element needs a token. Set its property `token` to a token, or to a function that fetches one.",
  available: "Available",
  expires: "{amount} expires on {date}",
  cost: "Cost of the last {days} days",
  noUsage: "No requests in the last {days} days.",
  day: "Day",
  requests: "Requests",
  amount: "Cost",
  keys: "Keys",
  noKeys: "No keys yet.",
  name: "Name",
  create: "Create key",
  rotate: "Rotate",
  revoke: "Revoke",
  confirmRevoke: "Revoke {name}? Requests with it are refused from now on.",
  confirmRotate: "Rotate {name}? Its secret works for one more day.",
  secret: "Copy the secret of {name} now. It is shown only once.",
  copy: "Copy",
  copied: "Copied",
  done: "Done",
  pay: "Pay {price}",
  bonus: "with {bonus} on top",
};

/** The texts of the elements. */
export type ElementTexts = typeof englishTexts;

/** Puts values into a text at its `{names}`. */
export const fill = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{(\w+)\}/g, (found, name: string) => String(values[name] ?? found));
