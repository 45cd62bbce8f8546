import { expect } from "vitest";
import type { Runtime } from "./runtimes.ts";
import type { Surroundings } from "./surroundings.ts";

/** What is tried inside a runtime, without a mount: see `hosts/probes`. */
export interface ProbeCase {
  readonly name: string;
  readonly title: string;
  /** Checks what the probe answered. */
  check(answer: unknown, around: Surroundings, runtime: Runtime): void;
}

const charges = {
  title: "holds and charges a request",
  check: (answer: unknown) => expect(answer).toEqual({ done: charged, warnings: [] }),
};
/** 20 prompt tokens at 1 and 9 output tokens at 2 per million, of a credit of 5. */
const charged = { status: 200, posted: "4999962000", held: "0" };

/** The probes, which are the same for every runtime. */
export const probeCases: readonly ProbeCase[] = [
  { name: "node:sqlite", ...charges },
  { name: "@photostructure/sqlite", ...charges },
  { name: "bun:sqlite", ...charges },
  { name: "PostgreSQL", ...charges },
  {
    name: "pooledTransport",
    title: "sends a request with undici",
    check(answer, _around, { withoutUndici: runtime }) {
      const warning = `tollgate: pooledTransport() sends with fetch because ${runtime} does not support undici.`;
      const done = { status: 200, text: expect.stringContaining('"Hello"') };
      expect(answer).toEqual({ done, warnings: runtime === undefined ? [] : [warning] });
    },
  },
  {
    name: "webhookRunner",
    title: "connects to checked addresses only, over http and https",
    check(answer, { webhooks, settings }) {
      const done = ['{"ok":true}', `POST ${settings.secureWebhookHost}`, "blocked_target"];
      expect(answer).toEqual({ done, warnings: [] });
      expect(webhooks.received).toMatchObject([{ method: "POST", url: "/orders", body: '{"number":1234}' }]);
    },
  },
];
