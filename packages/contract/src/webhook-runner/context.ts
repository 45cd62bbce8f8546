import { fail } from "node:assert/strict";
import type { WebhookRequest, WebhookResult, WebhookRunner } from "@tollgate/core/assistants";
import type { Opened } from "../suite.ts";
import { startTargetServer, type TargetServer } from "./target-server.ts";

/** Where the suite's server listens. */
export interface WebhookTarget {
  readonly host: string;
  readonly port: number;
  /** "http://127.0.0.1:9999" */
  readonly origin: string;
}

/** A runner for one case, and how to close it. */
export interface OpenedRunner {
  readonly runner: WebhookRunner;
  readonly close?: () => void | Promise<void>;
}

/** What a case of the suite works with. */
export interface WebhookRunnerContext {
  readonly runner: WebhookRunner;
  readonly server: TargetServer;
  readonly origin: string;
  /** Runs a GET of the server with 15 seconds of time, unless `more` says otherwise. */
  run(more?: Partial<WebhookRequest>): Promise<WebhookResult>;
}

/** Starts a server and opens a runner for it. */
export async function openContext(
  create: (target: WebhookTarget) => OpenedRunner | Promise<OpenedRunner>,
): Promise<Opened<WebhookRunnerContext>> {
  const server = await startTargetServer();
  const origin = `http://127.0.0.1:${server.port}`;
  const { runner, close } = await create({ host: "127.0.0.1", port: server.port, origin });
  const run = (more: Partial<WebhookRequest> = {}) => runner.run({ ...plainRequest(origin), ...more });
  return {
    store: { runner, server, origin, run },
    close: async () => {
      await close?.();
      await server.close();
    },
  };
}

function plainRequest(origin: string): WebhookRequest {
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

/** The answer of a call that must have one. */
export function answered(result: WebhookResult): Extract<WebhookResult, { kind: "answered" }> {
  return result.kind === "answered" ? result : fail(`There was no answer: ${result.failure}, ${result.detail}`);
}

/** How a call failed that must have: "timeout, unknown". */
export function failed(result: WebhookResult): string {
  return result.kind === "failed"
    ? `${result.failure}, ${result.certainty}`
    : fail(`It was answered: ${result.status}`);
}
