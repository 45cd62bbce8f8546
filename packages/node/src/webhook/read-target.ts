import type { AllowedTargets } from "./allowed-targets.ts";
import { Fault } from "./fault.ts";
import { hostOf } from "./host-of.ts";

/** Which URLs a runner may call. */
export interface UrlPolicy {
  readonly allowHttp: boolean;
  readonly allowedTargets: AllowedTargets;
}

/** The destination of a webhook, parsed once from its URL. The URL text is not used after this. */
export interface Target {
  readonly secure: boolean;
  /** A host name or an address without brackets. */
  readonly host: string;
  readonly port: number;
  /** The value of the Host header. Includes the port unless it is the default of the scheme. */
  readonly authority: string;
  readonly path: string;
  /** True if `allowedTargets` contains it. Then http and private networks are allowed too. */
  readonly opened: boolean;
}

/** Parses the URL of a webhook (https://url.spec.whatwg.org). Throws `blocked_target` if it is not allowed. */
export function readTarget(text: string, policy: UrlPolicy): Target {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) throw blocked("The URL is invalid. Use an absolute https URL.");
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw blocked(`The scheme ${url.protocol} is not allowed. Use https.`);
  if (url.username !== "" || url.password !== "")
    throw blocked("The URL contains a user name or a password. Send credentials in a header.");
  const host = hostOf(url);
  if (host === undefined) throw blocked("The URL has no host, or a host with an empty label. Correct the host.");
  const secure = url.protocol === "https:";
  const port = url.port === "" ? (secure ? 443 : 80) : Number(url.port);
  const opened = policy.allowedTargets.has(host, port);
  if (!opened) requireUsual(secure, port, policy);
  const bracketed = host.includes(":") ? `[${host}]` : host;
  const authority = url.port === "" ? bracketed : `${bracketed}:${port}`;
  return { secure, host, port, authority, path: url.pathname + url.search, opened };
}

function requireUsual(secure: boolean, port: number, { allowHttp }: UrlPolicy): void {
  if (!secure && !allowHttp) throw blocked("http is not allowed. Use https, or set `allowHttp`.");
  if (port !== 443 && port !== 80) {
    throw blocked(`Port ${port} is not allowed. Use 443 or 80, or add the host and port to \`allowedTargets\`.`);
  }
}

const blocked = (reason: string) => new Fault("blocked_target", reason);
