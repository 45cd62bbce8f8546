import { expect, it, vi } from "vitest";
import { closedGate } from "../../support/gate.ts";
import { gatewayUnderTest } from "../../support/gateway-under-test.ts";
import { completionOf, scriptedProvider } from "../../support/scripted-provider.ts";
import { type SpokenDialect, smallRequest, spokenDialects } from "../dialects/small-request.ts";

const clients = 60;
const payable = 10;
/** What a request costs, in nano-units: its own price alone. */
const amount = 100_000_000n;

const mixes: readonly (readonly [string, readonly SpokenDialect[]])[] = [
  ...spokenDialects.map((dialect) => [dialect, [dialect]] as const),
  ["all dialects at once", spokenDialects],
];

it.each(mixes)(
  `${clients} clients of %s get exactly ${payable} answers from a balance for as many`,
  async (_name, mix) => {
    const gate = closedGate();
    const provider = scriptedProvider({
      complete: async () => {
        await gate.opened;
        return completionOf("Hello");
      },
    });
    const targets = [{ provider, model: "upstream-model" }];
    const price = { input: "0", output: "0", request: "0.1" };
    const { gateway, balances, key } = gatewayUnderTest({
      models: [{ id: "plain", maxOutputTokens: 100, contextWindow: 8_000, price, targets }],
    });
    const secret = await key();
    const answers = Array.from({ length: clients }, async (_, client) => {
      const dialect = mix[client % mix.length] ?? "chat";
      const request = smallRequest({ dialect, secret, stream: false, requestId: crypto.randomUUID() });
      return (await gateway.fetch(request)).status;
    });
    await vi.waitFor(() => expect(gateway.inFlight()).toBe(payable));
    expect(await balances.balance("acme")).toMatchObject({ held: amount * BigInt(payable), available: 0n });
    gate.open();
    const statuses = await Promise.all(answers);
    expect(statuses.filter((status) => status === 200)).toHaveLength(payable);
    expect(statuses.filter((status) => status === 402)).toHaveLength(clients - payable);
    expect(await balances.balance("acme")).toMatchObject({ posted: 0n, held: 0n });
    expect(await balances.verify()).toEqual([]);
  },
);
