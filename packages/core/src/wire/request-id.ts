const acceptable = /^[A-Za-z0-9._-]{1,128}$/;

/** The id of a request: the incoming one when it is 1 to 128 characters of `[A-Za-z0-9._-]`, else a new one. */
export function requestId(incoming: string | null): string {
  return incoming !== null && acceptable.test(incoming) ? incoming : `req_${crypto.randomUUID().replaceAll("-", "")}`;
}
