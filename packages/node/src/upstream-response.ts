import type { ByteStream, TransportResponse } from "@tollgate/core/provider";
import { decodedBody } from "./decoded-body.ts";

/** The headers of an answer as undici reads them: lower-case names, and a list where one came more than once. */
export type UpstreamHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The head of an upstream's answer, whose body has been decoded where it came compressed all the same. */
export class UpstreamResponse implements TransportResponse {
  readonly status: number;
  readonly body: ByteStream;
  readonly #headers: UpstreamHeaders;
  readonly #isDecoded: boolean;

  constructor(status: number, headers: UpstreamHeaders, body: ByteStream) {
    const encoding = headers["content-encoding"];
    const decoded = typeof encoding === "string" ? decodedBody(body, encoding) : undefined;
    this.status = status;
    this.body = decoded ?? body;
    this.#headers = headers;
    this.#isDecoded = decoded !== undefined;
  }

  header(name: string): string | undefined {
    const value = this.#headers[name];
    if (value === undefined || (this.#isDecoded && name === "content-encoding")) return undefined;
    return typeof value === "string" ? value : value.join(", ");
  }
}
