import type { AllowedTargets } from "./allowed-targets.ts";
import { Fault } from "./fault.ts";
import { hostOf } from "./host-of.ts";

/** Which URLs a runner may call. */
export interface UrlPolicy {
  readonly allowHttp: boolean;
  readonly allowedTargets: AllowedTargets;
}

/** Where a webhook goes, read from its URL once; nothing looks at the text of the URL after this. */
export interface Target {
  readonly secure: boolean;
  /** A name or an address, without brackets. */
  readonly host: string;
  readonly port: number;
  /** For the Host header: with its port when the scheme does not imply it. */
  readonly authority: string;
  readonly path: string;
  /** True when `allowedTargets` has it: http and the host's own networks are allowed too. */
  readonly opened: boolean;
}

/** Reads the URL of a webhook (https://url.spec.whatwg.org); throws a `blocked_target` for one that is not allowed. */
export function readTarget(text: string, policy: UrlPolicy): Target {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) throw blocked("The URL cannot be parsed.");
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw blocked(`The scheme ${url.protocol} is not allowed.`);
  if (url.username !== "" || url.password !== "") throw blocked("The URL holds a user name or a password.");
  const host = hostOf(url);
  if (host === undefined) throw blocked("The URL has no host, or one with an empty label.");
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
    throw blocked(`Port ${port} is not allowed. Use 443 or 80, or name host and port in \`allowedTargets\`.`);
  }
}

const blocked = (reason: string) => new Fault("blocked_target", reason);
