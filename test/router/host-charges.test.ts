import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { failsBefore, faulty } from "../support/faulty.ts";
import { type GatewayUnderTest, gatewayUnderTest } from "../support/gateway-under-test.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const job = { account: "acme", amount: "0.4", description: "A film" };
const nano = 1_000_000_000n;

const balanceOf = ({ balances }: GatewayUnderTest) => {
  const { posted, held } = balances.balance("acme");
  return { posted, held };
};

const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1_000);

describe("a hold of the host", () => {
  it("is renewed for 15 minutes, and expires with its lease after that", async () => {
    const tested = gatewayUnderTest();
    const hold = await tested.gateway.charges.hold(job);
    await seconds(15 * 60 - 1);
    expect([balanceOf(tested).held, tested.gateway.inFlight()]).toEqual([hold.amount, 1]);
    await seconds(90);
    expect([balanceOf(tested), tested.gateway.inFlight()]).toEqual([{ posted: nano, held: 0n }, 0]);
    expect(tested.events).toEqual([]);
  });

  it("is kept for longer by an extension, and charges what that told", async () => {
    const tested = gatewayUnderTest();
    const hold = await tested.gateway.charges.hold({ ...job, keepMs: 60_000 });
    for (let minute = 1; minute <= 10; minute++) {
      await seconds(59);
      await hold.extend({ used: parseMinutes(minute) });
    }
    expect(balanceOf(tested)).toEqual({ posted: nano, held: hold.amount });
    // What was used cannot decrease.
    await hold.extend({ used: 0n, keepMs: 1 });
    await seconds(90);
    expect(balanceOf(tested)).toEqual({ posted: nano - 100_000_000n, held: 0n });
  });

  it("cannot be extended once it has expired or ended", async () => {
    const { gateway } = gatewayUnderTest();
    const expired = await gateway.charges.hold({ ...job, keepMs: 1 });
    await seconds(90);
    await expect(expired.extend()).rejects.toMatchObject({ code: "conflict" });
    const settled = await gateway.charges.hold(job);
    await settled.settle(1n);
    await expect(settled.extend()).rejects.toMatchObject({ code: "conflict" });
    expect(gateway.inFlight()).toBe(0);
  });

  it("is charged at most what is held", async () => {
    const tested = gatewayUnderTest();
    const hold = await tested.gateway.charges.hold(job);
    const wanted =
      "is 0.5, but only 0.4 is held. Give at most that, and charge the rest with `gateway.charges.charge`.";
    await expect(hold.settle("0.5")).rejects.toThrow(new RangeError(`\`cost\` ${wanted}`));
    await expect(hold.extend({ used: "0.5" })).rejects.toThrow(new RangeError(`\`used\` ${wanted}`));
    await hold.settle("0.4");
    expect(balanceOf(tested)).toEqual({ posted: 600_000_000n, held: 0n });
  });

  it("ends once: the same end has no effect, and another settlement is a conflict", async () => {
    const tested = gatewayUnderTest();
    const [first, second] = [await tested.gateway.charges.hold(job), await tested.gateway.charges.hold(job)];
    await Promise.all([first.settle("0.1"), first.settle(100_000_000n), first.release()]);
    await expect(first.settle("0.2")).rejects.toMatchObject({ code: "conflict" });
    await Promise.all([second.release(), second.release()]);
    await expect(second.settle("0.1")).rejects.toMatchObject({ code: "conflict" });
    expect(balanceOf(tested)).toEqual({ posted: 900_000_000n, held: 0n });
  });
});

const parseMinutes = (minutes: number): bigint => BigInt(minutes) * 10_000_000n;

describe("invalid charges", () => {
  it("are refused with every problem, and what to do", async () => {
    const { gateway } = gatewayUnderTest();
    const wanted: object = { acount: "acme", amount: 5, description: "", metadata: { a: 1 } };
    await expect(Reflect.apply(gateway.charges.charge, undefined, [wanted])).rejects.toThrow(
      new RangeError(
        [
          "`account` is missing. It is required in a charge.",
          '`amount` must be a decimal string, such as "5.00", or nano-units as a bigint, such as parseAmount("5.00"), not the number 5.',
          '`description` must be a text of 1 to 500 characters, without NUL characters, not the string "".',
          "`metadata` must be an object of at most 16 members, with names and values of at most 500 characters, without NUL characters, not an object.",
          "`acount` is not a member of a charge. Did you mean account?",
        ].join(" "),
      ),
    );
    const { metadata: _, ...valid } = { ...job, metadata: {} };
    for (const wrong of [
      { amount: -1n },
      { id: "x".repeat(201) },
      { description: "\ud800" },
      { metadata: { a: "\0" } },
    ])
      await expect(gateway.charges.hold({ ...valid, ...wrong })).rejects.toThrow(RangeError);
    for (const keepMs of [0, 604_800_001, 0.5]) {
      await expect(gateway.charges.hold({ ...valid, keepMs })).rejects.toThrow("`keepMs` must be a whole number");
    }
  });
});

describe("a store that fails", () => {
  /** A gateway whose balance store fails before a call of these verbs. */
  function failing(...verbs: string[]) {
    const calls: string[] = [];
    const { balances } = gatewayUnderTest();
    const plan = (verb: string) => {
      calls.push(verb);
      return verbs.includes(verb) ? failsBefore(() => new Error("connection lost")) : undefined;
    };
    const tested = gatewayUnderTest({ balances: faulty(balances, plan) });
    return { gateway: tested.gateway, balances, calls, recover: () => verbs.splice(0) };
  }

  it("is asked to settle until it does, and the host waits for 250 ms", async () => {
    const { gateway, balances, recover } = failing("settle");
    const charging = gateway.charges.charge(job);
    await vi.advanceTimersByTimeAsync(250);
    expect(await charging).toMatchObject({ amount: 400_000_000n });
    expect([balances.balance("acme").held, gateway.inspect().settlementsWaiting]).toEqual([400_000_000n, 1]);
    recover();
    await seconds(30);
    expect(balances.balance("acme")).toMatchObject({ posted: 600_000_000n, held: 0n });
  });

  it("is asked to release a hold that it may have placed, but not one with an id of the host", async () => {
    const { gateway, calls } = failing("hold");
    const unavailable = { code: "store_unavailable" };
    await expect(gateway.charges.charge({ ...job, id: "order-1" })).rejects.toMatchObject(unavailable);
    expect(calls).not.toContain("release");
    await expect(gateway.charges.charge(job)).rejects.toMatchObject(unavailable);
    expect(calls).toContain("release");
    expect(gateway.inFlight()).toBe(0);
  });

  it("fails an extension, whose use a later beat of the heartbeat tells", async () => {
    const { gateway, balances, recover } = failing("renew");
    const hold = await gateway.charges.hold(job);
    await expect(hold.extend({ used: "0.3", keepMs: 20_000 })).rejects.toMatchObject({ code: "store_unavailable" });
    recover();
    await seconds(120);
    expect(balances.balance("acme")).toMatchObject({ posted: 700_000_000n, held: 0n });
  });
});

describe("a drain", () => {
  it("waits for open holds, and refuses new ones", async () => {
    const tested = gatewayUnderTest();
    const { charges } = tested.gateway;
    const hold = await charges.hold(job);
    const drained = tested.gateway.drain();
    await expect(charges.charge(job)).rejects.toMatchObject({ code: "draining" });
    await hold.extend({ used: "0.1" });
    await hold.settle("0.2");
    await drained;
    expect(balanceOf(tested)).toEqual({ posted: 800_000_000n, held: 0n });
    expect(tested.events).toEqual([]);
  });

  it("leaves a hold that is still open to its lease, and reports it", async () => {
    const tested = gatewayUnderTest();
    const hold = await tested.gateway.charges.hold(job);
    const drained = tested.gateway.drain({ timeoutMs: 1_000 });
    await seconds(10);
    await drained;
    expect(tested.events).toMatchObject([{ type: "drain.incomplete", requests: 1 }]);
    expect(balanceOf(tested).held).toBe(hold.amount);
    // The job may still end before the process does.
    await hold.settle("0.2");
    expect(balanceOf(tested)).toEqual({ posted: 800_000_000n, held: 0n });
  });
});
