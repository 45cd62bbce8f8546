import { X509Certificate } from "node:crypto";
import { createSecureContext, rootCertificates } from "node:tls";
import type { TargetVerdict, WebhookRunner } from "@tollgate/core/assistants";
import { requireKnown } from "@tollgate/core/internal";
import { AllowedTargets } from "./allowed-targets.ts";
import type { RunnerPolicy } from "./attempt.ts";
import { requireConnectHook } from "./connect-hook.ts";
import { Fault, toFault } from "./fault.ts";
import { readTarget } from "./read-target.ts";
import { resolveTarget, systemLookup, type WebhookLookup } from "./resolve-target.ts";
import { runWebhook } from "./run-webhook.ts";
import { timeLimit } from "./time-limit.ts";

/** Where webhooks may go, and how much they may take. */
export interface WebhookRunnerOptions {
  /** Allows http to the internet as well as https; false. */
  readonly allowHttp?: boolean;
  /**
   * Hosts with ports, such as "127.0.0.1:9999" or "billing.internal:8443", that are allowed over http and on
   * the host's own networks. No entry opens a metadata or link-local address.
   */
  readonly allowedTargets?: readonly string[];
  /** The longest answer, decompressed; 1 MiB. */
  readonly maxResponseBytes?: number;
  /** When a connection, with its TLS, is given up, in milliseconds; 5,000. */
  readonly connectMs?: number;
  /** Resolves names; the system's resolver when absent. Its answers are checked as any. */
  readonly lookup?: WebhookLookup;
  /** Certificates of private authorities in PEM, trusted beside those of Node. */
  readonly ca?: readonly string[];
}

/**
 * The WebhookRunner for Node. It calls only what is on the internet or in `allowedTargets`: it checks every address of
 * a name, dials none but those, on a connection of its own for every try, and asks no proxy. Throws an Error when an
 * option is wrong, or with the code `unguarded_runtime` on a runtime that connects without asking.
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

/** Node leaves out what it cannot read without a word. */
function requireCertificate(pem: string): void {
  try {
    new X509Certificate(pem);
  } catch (cause) {
    throw new Error("`ca` holds a text that is no certificate. Give each in PEM.", { cause });
  }
}

async function checkTarget(policy: RunnerPolicy, url: string): Promise<TargetVerdict> {
  const expired = new Fault("dns_error", `The name was not resolved within ${policy.connectMs} ms.`);
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
