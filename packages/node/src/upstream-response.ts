import type { TransportResponse } from "@tollgate/core";
import type { UpstreamBody } from "./upstream-body.ts";

/** The head of an upstream's answer. Its headers are views of what was read from the socket, and become text when they are asked for. */
export class UpstreamResponse implements TransportResponse {
  readonly status: number;
  readonly body: UpstreamBody;
  /** Names and values in turn. */
  readonly #headers: readonly Buffer[];

  constructor(status: number, headers: readonly Buffer[], body: UpstreamBody) {
    this.status = status;
    this.#headers = headers;
    this.body = body;
  }

  header(name: string): string | undefined {
    let all: string | undefined;
    for (let at = 0; at < this.#headers.length; at += 2) {
      const field = this.#headers[at];
      if (field?.length !== name.length || field.toString("latin1").toLowerCase() !== name) continue;
      const value = this.#headers[at + 1]?.toString("latin1") ?? "";
      all = all === undefined ? value : `${all}, ${value}`;
    }
    return all;
  }
}
