import type { ApiKey, BalanceStore, KeyAdmin, KeyStore } from "@tollgate/core/store";
import type { PaymentStore } from "@tollgate/payments";
import { chargeReceipt, plainHold } from "../../packages/core/test-support/receipts.ts";
import { paid } from "../payments/counter.ts";

/** The stores whose database is copied and restored. */
export interface Records {
  readonly keys: KeyStore & KeyAdmin;
  readonly balances: BalanceStore;
  readonly payments: PaymentStore;
}

/** What the payment provider moved, as `movements.json` of the config file. */
export interface Movement {
  readonly id: string;
  readonly type: "payment";
  readonly reference: string;
  readonly at: string;
  readonly amount: { readonly amount: string; readonly currency: "USD" };
}

const account = "ann";
const amount = 1_000n;
/** Long enough ago for `payments reconcile --to 1h`. */
const at = new Date(Date.now() - 2 * 3_600_000);

/** What happened before and after a copy of the records. */
export class History {
  readonly movements: Movement[] = [];
  readonly checkouts = { before: crypto.randomUUID(), after: crypto.randomUUID() };
  /** The references of the holds that were charged on a busy account, in the order of the answers. */
  readonly charged: string[] = [];
  #keys: { readonly revoked?: ApiKey; readonly created?: string } = {};
  #isBusy = true;

  constructor(private readonly records: Records) {}

  /** A customer pays, opens another checkout, has a key, and sends a request. */
  async beforeCopy(): Promise<void> {
    const { keys } = this.records;
    await this.#pay(crypto.randomUUID());
    await this.#open(this.checkouts.before);
    this.#keys = { revoked: (await keys.create({ account, plan: "prepaid" })).key };
    await this.#hold("running");
  }

  /** The request ends, another one is made, the customer pays twice, and the key is replaced. */
  async afterCopy(): Promise<void> {
    const { keys } = this.records;
    const { revoked } = this.#keys;
    await this.settle(this.records, "running");
    await this.#hold("later");
    await this.#pay(this.checkouts.before);
    await this.#pay(this.checkouts.after);
    await keys.revoke(revoked?.id ?? "");
    this.#keys = { ...this.#keys, created: (await keys.create({ account, plan: "prepaid" })).secret };
  }

  /** Charges a busy account from several sides until `rest` is called. Resolves then. */
  async keepBusy(): Promise<void> {
    const { balances } = this.records;
    await balances.credit({ id: "busy", account: "busy", amount: 1_000_000_000n, reason: "test" });
    const work = async () => {
      while (this.#isBusy) {
        const id = crypto.randomUUID();
        await balances.hold({ id, account: "busy", keyId: undefined, amount, leaseMs: 60_000, ...plainHold });
        await balances.settle({ id, account: "busy" }, amount, chargeReceipt);
        this.charged.push(id);
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    };
    await Promise.all([work(), work(), work()]);
  }

  rest(): void {
    this.#isBusy = false;
  }

  /** The end of a request, which a process repeats until it has an answer. */
  settle({ balances }: Pick<Records, "balances">, id: string): ReturnType<BalanceStore["settle"]> {
    return balances.settle({ id, account }, 40n, chargeReceipt);
  }

  /** Tells what restored records know of the keys: whether the revoked one is valid, and whether the new one is known. */
  async keysIn({ keys }: Records): Promise<{ readonly revokedIsValid: boolean; readonly newIsKnown: boolean }> {
    const { revoked, created = "" } = this.#keys;
    const found = await keys.get(revoked?.id ?? "");
    return {
      revokedIsValid: found !== undefined && found.revokedAt === undefined,
      newIsKnown: (await keys.find(created)) !== undefined,
    };
  }

  /** Applies the notification of a payment again, which the provider sends on demand. */
  async notifyAgain({ payments }: Records, id: string): Promise<string> {
    return (await payments.apply(notification(id), { refundsBelowZero: false })).outcome;
  }

  async #hold(id: string): Promise<void> {
    await this.records.balances.hold({ id, account, keyId: undefined, amount, leaseMs: 1, ...plainHold });
  }

  async #open(id: string): Promise<void> {
    const product = { id: "small", price: { amount: 1_000n, currency: "USD" }, credit: 10_000_000_000n, bonus: 0n };
    const made = { provider: "acme-pay", live: false, kind: "checkout", savesMethod: false } as const;
    await this.records.payments.begin({ ...made, id, account, product }, { maxOpen: 5 });
  }

  async #pay(id: string): Promise<void> {
    await this.#open(id);
    await this.records.payments.apply(notification(id), { refundsBelowZero: false });
    const money = { amount: "1000", currency: "USD" } as const;
    this.movements.push({ id, type: "payment", reference: `ref_${id}`, at: at.toISOString(), amount: money });
  }
}

const notification = (id: string) => paid(id, { id: `evt_${id}`, receipt: { reference: `ref_${id}`, at, tax: 0n } });
