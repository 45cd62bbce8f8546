import { once } from "node:events";
import { createServer } from "node:http";
import { nodeHandler } from "@tollgate/node";
import { type GatewayUnderTest, gatewayUnderTest } from "../support/gateway-under-test.ts";
import { chunksOf, completionOf } from "../support/scripted-provider.ts";

/** A gateway behind node:http, whose provider answers "Hello". */
export interface RunningHost extends AsyncDisposable {
  readonly under: GatewayUnderTest;
  /** The base URL of the router. */
  readonly url: string;
}

export async function runningHost(): Promise<RunningHost> {
  const under = gatewayUnderTest();
  under.provider.script = { complete: async () => completionOf("Hello"), stream: () => chunksOf(["Hel", "lo"]) };
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
