import { once } from "node:events";
import { createServer } from "node:http";
import type { ChatModelConfig } from "@tollgate/core";
import { nodeHandler } from "@tollgate/node";
import { type GatewayUnderTest, gatewayUnderTest } from "../support/gateway-under-test.ts";
import { chunksOf, completionOf, scriptedProvider } from "../support/scripted-provider.ts";

/** A gateway behind node:http, whose provider answers "Hello". */
export interface RunningHost extends AsyncDisposable {
  readonly under: GatewayUnderTest;
  /** The base URL of the router. */
  readonly url: string;
}

/** Starts the host with these models; each has the target, a price and a maximum output. */
export async function runningHost(models: readonly Partial<ChatModelConfig>[]): Promise<RunningHost> {
  const provider = scriptedProvider({
    complete: async () => completionOf("Hello"),
    stream: () => chunksOf(["Hel", "lo"]),
  });
  const targets = [{ provider, model: "upstream-model" }];
  const common = { id: "plain", maxOutputTokens: 1_000, price: { input: "1", output: "2" }, targets };
  const under = gatewayUnderTest({ models: models.map((model) => ({ ...common, ...model })) });
  const server = createServer(nodeHandler(under.gateway, { prefix: "/router/v1" }));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  return {
    under,
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/router/v1`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
