import { classifyAddress } from "./address/classify-address.ts";
import { parseAddress } from "./address/parse-address.ts";
import { hostOf } from "./host-of.ts";

/**
 * The host and port pairs of the option `allowedTargets`. Throws an Error for an entry that is malformed or forbidden.
 */
export class AllowedTargets {
  readonly #entries: ReadonlySet<string>;

  constructor(entries: readonly string[]) {
    this.#entries = new Set(entries.map(readEntry));
  }

  has(host: string, port: number): boolean {
    return this.#entries.has(`${host} ${port}`);
  }
}

function readEntry(entry: string): string {
  const [, written = "", port = ""] = /^([^/?#@*\\\s]+):(\d{1,5})$/.exec(entry) ?? [];
  const url = URL.canParse(`http://${written}/`) ? new URL(`http://${written}/`) : undefined;
  const host = url?.port === "" ? hostOf(url) : undefined;
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535) {
    throw new Error(`"${entry}" is not a host with a port. Write it as "billing.internal:8443" or "[fd12::1]:9999".`);
  }
  const address = parseAddress(host);
  const verdict = address === undefined ? undefined : classifyAddress(address);
  if (verdict?.kind === "forbidden") {
    throw new Error(`"${entry}" can never be allowed (${verdict.range}). Remove it from \`allowedTargets\`.`);
  }
  return `${host} ${Number(port)}`;
}
