import { X509Certificate } from "node:crypto";
import { createSecureContext, rootCertificates } from "node:tls";
import type { TargetVerdict, WebhookRunner } from "@tollgate/core/extension";
import { requireKnown } from "@tollgate/core/internal";
import { AllowedTargets } from "./allowed-targets.ts";
import type { RunnerPolicy } from "./attempt.ts";
import { requireConnectHook } from "./connect-hook.ts";
import { Fault, toFault } from "./fault.ts";
import { readTarget } from "./read-target.ts";
import { resolveTarget, systemLookup, type WebhookLookup } from "./resolve-target.ts";
import { runWebhook } from "./run-webhook.ts";
import { timeLimit } from "./time-limit.ts";

/** Options of `webhookRunner`: allowed targets and limits. */
export interface WebhookRunnerOptions {
  /** Also allows http for public addresses. Default: false. */
  readonly allowHttp?: boolean;
  /**
   * Hosts with ports, such as "127.0.0.1:9999" or "billing.internal:8443". These may use http and may be on private
   * networks. Cloud metadata and link-local addresses are never allowed.
   */
  readonly allowedTargets?: readonly string[];
  /** The maximum size of a response in bytes, after decompression. Default: 1,048,576 (1 MiB). */
  readonly maxResponseBytes?: number;
  /** The timeout for connecting, including TLS, in milliseconds. Default: 5,000. */
  readonly connectMs?: number;
  /** Resolves host names. Default: the system resolver. Its results are checked like any others. */
  readonly lookup?: WebhookLookup;
  /** Certificates of private certificate authorities in PEM, trusted in addition to those of Node. */
  readonly ca?: readonly string[];
}

/**
 * Creates the WebhookRunner for Node. It calls only public addresses and `allowedTargets`. It checks every address of a
 * host name, connects only to checked addresses, opens a new connection for each attempt, and uses no proxy. Throws an
 * Error for an invalid option, and one with the code `unguarded_runtime` on a runtime that ignores the lookup hook.
 */
export function webhookRunner(options: WebhookRunnerOptions = {}): WebhookRunner {
  const policy = readPolicy(options);
  requireConnectHook();
  return {
    run: (request) => runWebhook(policy, request),
    checkTarget: (url) => checkTarget(policy, url),
  };
}

const knownOptions = {
  allowHttp: true,
  allowedTargets: true,
  maxResponseBytes: true,
  connectMs: true,
  lookup: true,
  ca: true,
} as const;

function readPolicy(options: WebhookRunnerOptions): RunnerPolicy {
  requireKnown("webhookRunner", options, knownOptions);
  return {
    allowHttp: options.allowHttp ?? false,
    allowedTargets: new AllowedTargets(options.allowedTargets ?? []),
    maxResponseBytes: positive("maxResponseBytes", options.maxResponseBytes ?? 1_048_576),
    connectMs: positive("connectMs", options.connectMs ?? 5_000),
    lookup: options.lookup ?? systemLookup,
    secureContext: createSecureContext(options.ca === undefined ? {} : { ca: readAuthorities(options.ca) }),
  };
}

function positive(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw new Error(`\`${name}\` must be a whole number of at least 1.`);
}

function readAuthorities(ca: readonly string[]): string[] {
  for (const pem of ca) requireCertificate(pem);
  return [...rootCertificates, ...ca];
}

/** Validates one certificate, because Node ignores an unreadable one without an error. */
function requireCertificate(pem: string): void {
  try {
    new X509Certificate(pem);
  } catch (cause) {
    throw new Error("`ca` contains an invalid certificate. Use PEM format for each.", { cause });
  }
}

async function checkTarget(policy: RunnerPolicy, url: string): Promise<TargetVerdict> {
  const expired = new Fault(
    "dns_error",
    `The host name was not resolved within ${policy.connectMs} ms. Check the resolver.`,
  );
  const limit = timeLimit(new AbortController().signal, policy.connectMs, expired);
  try {
    await resolveTarget(readTarget(url, policy), policy.lookup, limit.signal);
    return { allowed: true };
  } catch (error) {
    return { allowed: false, reason: toFault(error, "blocked_target").message };
  } finally {
    limit.clear();
  }
}
