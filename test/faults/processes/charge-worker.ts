import { chargingGateway, price, stages } from "../charges/charging-gateway.ts";
import type { StoreAddress } from "./open-store.ts";
import { openStores } from "./open-stores.ts";
import { readTask } from "./task.ts";

/** The task of a process that brings an order to each stage, tells its parent so, and waits until it is killed. */
export interface ChargeTask {
  readonly store: StoreAddress;
  readonly account: string;
}

const { store, account } = readTask<ChargeTask>();
void work();

async function work(): Promise<void> {
  const { charges } = chargingGateway(await openStores(store));
  for (const stage of stages) {
    const hold = await charges.hold({ account, id: stage, amount: price, description: `An order that is ${stage}` });
    if (stage === "used") await hold.extend({ used: price / 4n });
    if (stage === "settled") await hold.settle(price);
    if (stage === "released") await hold.release();
  }
  process.send?.("waiting");
}
