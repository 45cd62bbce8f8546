import { createServer } from "node:http";
import { anthropic } from "@tollgate/anthropic";
import { openaiCompatible, type Target } from "@tollgate/core";
import { nodeHandler, pooledTransport } from "@tollgate/node";
import { listen } from "../../http/mounts/mount.ts";
import { type GatewayUnderTest, gatewayUnderTest } from "../../support/gateway-under-test.ts";
import { type MockUpstream, startMockUpstream } from "../../upstream/mock-upstream.ts";
import { textAnswer } from "../../upstream/model-answer.ts";
import { publicModel } from "../scene.ts";
import { canary } from "../script.ts";
import type { clients } from "./client.ts";

/** Whether a target speaks the dialect of the client. */
export type Way = "native" | "translated";

/** What else the model has if its first target fails. */
export type Fallback = "nothing" | "a native target" | "a translated target";

/** A gateway with a model whose first target fails, and whose second one answers. */
export interface FaultScene {
  readonly url: string;
  readonly secret: string;
  readonly under: GatewayUnderTest;
  readonly first: MockUpstream;
  readonly second: MockUpstream;
  close(): Promise<void>;
}

/** The pieces of the first target's answer. */
export const pieces = ["Héllo ", "wörld"];
/** The answer of the second target. */
export const secondAnswer = textAnswer(["From elsewhere"]);

/** Opens a scene for clients of a dialect. */
export async function openFaultScene(dialect: keyof typeof clients, way: Way, fallback: Fallback): Promise<FaultScene> {
  const [first, second] = await Promise.all([startMockUpstream(), startMockUpstream()]);
  const transport = pooledTransport();
  second.reply = () => ({ answer: secondAnswer });
  const other = fallback === "a native target" ? "native" : "translated";
  const under = gatewayUnderTest({
    models: [
      {
        id: publicModel,
        maxOutputTokens: 1_000,
        contextWindow: 8_000,
        price: { input: "3", output: "7" },
        targets: [
          { ...targetAt(first, dialect, way), priority: 0 },
          ...(fallback === "nothing" ? [] : [{ ...targetAt(second, dialect, other), priority: 1 }]),
        ],
      },
    ],
    transport,
    upstream: { headMs: 2_000, firstFrameMs: 900, idleMs: 900, totalMs: 3_000 },
    routing: { backoffMs: 1 },
  });
  const { port, close } = await listen(createServer(nodeHandler(under.gateway, { prefix: "/v1" })));
  return {
    url: `http://127.0.0.1:${port}/v1`,
    secret: await under.key(),
    under,
    first,
    second,
    close: async () => {
      await Promise.all([first.close(), second.close()]);
      await under.gateway.drain({ timeoutMs: 1_000 });
      await close();
      await transport.destroy();
    },
  };
}

function targetAt({ url: baseURL }: MockUpstream, dialect: keyof typeof clients, way: Way): Target {
  const account = { baseURL, apiKey: canary.key, name: "provider-one" };
  const model = canary.model;
  if (way === "translated") return { provider: openaiCompatible(account), model };
  return dialect === "messages"
    ? { provider: anthropic(account), model }
    : { provider: openaiCompatible({ ...account, dialects: ["responses"] }), model };
}
