const acceptable = /^[A-Za-z0-9._-]{1,128}$/;

/** The id of a request: the one that came with it when that can be used, or a new one. */
export function requestId(incoming: string | null): string {
  return incoming !== null && acceptable.test(incoming) ? incoming : `req_${crypto.randomUUID()}`;
}
