import type { KeyAdmin } from "@tollgate/core/store";
import { expect, it } from "vitest";
import { closedGate } from "../support/gate.ts";
import { completionOf } from "../support/scripted-provider.ts";
import { statusAndCode, type TokenStores, tokensUnderTest } from "../support/tokens-under-test.ts";

/** The stores of a gateway, and the keys as another process sees them. */
export interface SharedStores {
  readonly stores: TokenStores;
  readonly elsewhere: KeyAdmin;
}

const granted = [200, undefined];
const revoked = [401, "revoked_api_key"];

/** Tests that tokens end with their key, and spend no more than their cap, on stores that `open` opens. */
export function testRaces(open: () => Promise<SharedStores>): void {
  it("exactly 10 of 100 parallel requests succeed with a cap for 10, over two gateways", async () => {
    const { stores } = await open();
    const [one, two] = [await tokensUnderTest({ stores }), await tokensUnderTest({ stores })];
    const { token, key } = await one.token({ spendCap: 1_000n });
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, at) => statusAndCode((at % 2 === 0 ? one : two).chat(token))),
    );
    expect(answers.filter(([status]) => status === 200)).toHaveLength(10);
    expect(answers.filter(([, code]) => code === "spend_limit_reached")).toHaveLength(90);
    expect(await stores.balances.usedBy(key.id)).toBe(1_000n);
    expect(await stores.balances.verify()).toEqual([]);
  });

  it("a call that runs while its key is revoked is answered and charged, and the next one is refused", async () => {
    const { stores, elsewhere } = await open();
    const { chat, token, provider } = await tokensUnderTest({ stores });
    const made = await token({ spendCap: 1_000n });
    const gate = closedGate();
    provider.script = {
      async complete() {
        await gate.opened;
        return completionOf("Hi", { prompt_tokens: 0, completion_tokens: 100 });
      },
    };
    const running = statusAndCode(chat(made.token));
    await expect.poll(() => provider.calls.length).toBe(1);
    await elsewhere.revoke(made.key.id);
    // The gateway may still have the key in its cache: the hold finds that it has ended.
    expect(await statusAndCode(chat(made.token))).toEqual(revoked);
    gate.open();
    expect(await running).toEqual(granted);
    expect(await stores.balances.usedBy(made.key.id)).toBe(100n);
    expect(provider.calls).toHaveLength(1);
  });

  it.each(["revoke", "rotate", "expire"] as const)("no call begins after %s of its key has returned", async (how) => {
    const { stores, elsewhere } = await open();
    const { chat, token, provider } = await tokensUnderTest({ stores });
    const made = await token();
    const before = Array.from({ length: 20 }, () => statusAndCode(chat(made.token)));
    if (how === "revoke") await elsewhere.revoke(made.key.id);
    else if (how === "rotate") await elsewhere.rotate(made.key.id, { graceMs: 0 });
    else await elsewhere.update(made.key.id, { expiresAt: new Date(Date.now() - 1) });
    const after = await Promise.all(Array.from({ length: 20 }, () => statusAndCode(chat(made.token))));
    expect(after).toEqual(after.map(() => revoked));
    const answered = (await Promise.all(before)).filter(([status]) => status === 200).length;
    expect(provider.calls).toHaveLength(answered);
    expect(await stores.balances.usedBy(made.key.id)).toBe(BigInt(answered) * 100n);
    expect((await stores.balances.balance("acme")).held).toBe(0n);
  });
}
