import type { Abilities, Driver } from "@tollgate/exact-money";
import { freePort } from "../../support/free-port.ts";
import { dataIn } from "./data.ts";
import { GatewayChild } from "./gateway-child.ts";
import { managementClient } from "./management-client.ts";
import { StripePayments } from "./stripe-payments.ts";
import type { StoreAddress } from "./task.ts";

/** Tollgate on one of its stores, in a process of its own, configured over its management API. */
export const tollgate = (kind: StoreAddress["kind"]): Driver => ({
  name: `tollgate-${kind}`,
  async start({ needs, ...world }) {
    const data = await dataIn[kind](needs);
    const adminToken = crypto.randomUUID();
    const port = await freePort();
    const payments = await StripePayments.start(`http://127.0.0.1:${port}`);
    const shared = { ...world, store: data.address, adminToken, stripe: payments.access };
    const onPort = (own: number) => new GatewayChild({ ...shared, port: own });
    const children = [onPort(port)];
    const [first] = children;
    if (first === undefined) throw new Error("No process was made.");
    const stop = async () => {
      await Promise.all(children.map((child) => child.kill()));
      await payments.stop();
      await data.remove();
    };
    try {
      await first.start();
    } catch (error) {
      await stop();
      throw error;
    }
    const features: Pick<
      Abilities,
      | "keyLimits"
      | "modelLimits"
      | "planLimits"
      | "cachePrices"
      | "tiers"
      | "requestPrice"
      | "messages"
      | "responses"
      | "embeddings"
      | "countTokens"
      | "storedResponses"
    > = {
      keyLimits: true,
      modelLimits: true,
      planLimits: true,
      cachePrices: true,
      tiers: true,
      requestPrice: true,
      messages: true,
      responses: true,
      embeddings: true,
      countTokens: true,
      storedResponses: true,
    };
    const durable: Pick<Abilities, "killAndRestart" | "secondProcess"> = {
      async killAndRestart() {
        await first.kill();
        await first.start();
      },
      async secondProcess() {
        const second = onPort(await freePort());
        children.push(second);
        await second.start();
        return second.url;
      },
    };
    return {
      url: first.url,
      abilities: {
        ...features,
        ...managementClient(`http://127.0.0.1:${port}/manage`, adminToken),
        payments,
        pausing: { pause: async () => first.signal("SIGSTOP"), resume: async () => first.signal("SIGCONT") },
        stepClock: (milliseconds) => first.stepClock(milliseconds),
        ...(kind === "memory" ? {} : durable),
        ...(data.outage === undefined ? {} : { storeOutage: data.outage }),
        ...(data.failover === undefined ? {} : { failover: data.failover }),
      },
      stop,
    };
  },
});
