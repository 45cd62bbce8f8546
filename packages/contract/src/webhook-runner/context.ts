import { fail } from "node:assert/strict";
import type { WebhookRequest, WebhookResult, WebhookRunner } from "@tollgate/core/extension";
import type { Opened } from "../suite.ts";
import { startTargetServer, type TargetServer } from "./target-server.ts";

/** The address of the suite's server. */
export interface WebhookTarget {
  readonly host: string;
  readonly port: number;
  /** "http://127.0.0.1:9999" */
  readonly origin: string;
}

/** A runner for one case, and a function that closes it. */
export interface OpenedRunner {
  readonly runner: WebhookRunner;
  readonly close?: () => void | Promise<void>;
}

/** The context of a case. */
export interface WebhookRunnerContext {
  readonly runner: WebhookRunner;
  readonly server: TargetServer;
  readonly origin: string;
  /** Sends a request to the server, by default a GET with a timeout of 15 s. */
  run(overrides?: Partial<WebhookRequest>): Promise<WebhookResult>;
}

/** Starts a server and creates a runner for it. */
export async function openContext(
  create: (target: WebhookTarget) => OpenedRunner | Promise<OpenedRunner>,
): Promise<Opened<WebhookRunnerContext>> {
  const server = await startTargetServer();
  const origin = `http://127.0.0.1:${server.port}`;
  const { runner, close } = await create({ host: "127.0.0.1", port: server.port, origin });
  const run = (overrides: Partial<WebhookRequest> = {}) => runner.run({ ...defaultRequest(origin), ...overrides });
  return {
    store: { runner, server, origin, run },
    close: async () => {
      await close?.();
      await server.close();
    },
  };
}

function defaultRequest(origin: string): WebhookRequest {
  return {
    id: crypto.randomUUID(),
    method: "GET",
    url: `${origin}/`,
    headers: [],
    body: undefined,
    timeoutMs: 15_000,
    signingSecret: undefined,
    signal: new AbortController().signal,
  };
}

/** Returns the response of a call. Fails when the call failed. */
export function answered(result: WebhookResult): Extract<WebhookResult, { kind: "answered" }> {
  return result.kind === "answered" ? result : fail(`The call failed: ${result.failure}, ${result.detail}`);
}

/** Returns how a call failed, such as "timeout, unknown". Fails when there was a response. */
export function failed(result: WebhookResult): string {
  return result.kind === "failed"
    ? `${result.failure}, ${result.certainty}`
    : fail(`The call succeeded with status ${result.status}`);
}
