import type { ByteStream, TransportResponse } from "@tollgate/core";

/** The headers of an answer as undici reads them: lower-case names, and a list where one came more than once. */
export type UpstreamHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The head of an upstream's answer. */
export class UpstreamResponse implements TransportResponse {
  readonly status: number;
  readonly body: ByteStream;
  readonly #headers: UpstreamHeaders;

  constructor(status: number, headers: UpstreamHeaders, body: ByteStream) {
    this.status = status;
    this.#headers = headers;
    this.body = body;
  }

  header(name: string): string | undefined {
    const value = this.#headers[name];
    return value === undefined || typeof value === "string" ? value : value.join(", ");
  }
}
