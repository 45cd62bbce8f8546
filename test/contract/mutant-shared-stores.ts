import type { SharedStores } from "@tollgate/contract";
import { memoryBalanceStore, memoryKeyStore, memoryTermsStore } from "@tollgate/core";
import type { ApiKey, BalanceStore, HoldRequest, HoldResult } from "@tollgate/core/store";
import { withOverrides } from "./failures.ts";

/** The seeded mutations of a store that checks keys and terms in its holds. */
export interface SharedMutations {
  readonly keyUnchecked?: boolean;
  readonly accountIgnored?: boolean;
  readonly expiryIgnored?: boolean;
  readonly revocationIgnored?: boolean;
  readonly keyRemembered?: boolean;
  readonly checkedBeforeTheStep?: boolean;
  readonly termsUnchecked?: boolean;
  readonly allTermsAsked?: boolean;
  readonly firstTermAsked?: boolean;
  readonly termsOfAnyAccount?: boolean;
  readonly noTermsRefused?: boolean;
  readonly replayChecked?: boolean;
  readonly fundsFirst?: boolean;
  readonly refusedStillHolds?: boolean;
  readonly settlementChecked?: boolean;
}

/** Memory stores whose holds check keys and terms, one call at a time, with a switch for each mutation. */
export function mutantSharedStores(mutations: SharedMutations): SharedStores {
  const inSequence = sequentially();
  const balances = memoryBalanceStore();
  const keys = memoryKeyStore();
  const terms = memoryTermsStore();
  const check = holdCheck({ keys, terms }, mutations);
  const keyOfHold = new Map<string, string>();
  const step = (request: HoldRequest, refusal: Refusal) => holdUnless(refusal, request, balances, mutations, keyOfHold);
  const hold = async (request: HoldRequest): Promise<HoldResult> => {
    if (!mutations.checkedBeforeTheStep) return inSequence(async () => step(request, await check(request)));
    const early = await check(request);
    await new Promise((resolve) => setTimeout(resolve, 2));
    return inSequence(() => step(request, early));
  };
  const settle: BalanceStore["settle"] = async (id, amount, receipt) => {
    const key = await findKey({ keys, terms }, keyOfHold.get(id) ?? "");
    if (mutations.settlementChecked && key?.revokedAt !== undefined) return { outcome: "conflict" };
    return balances.settle(id, amount, receipt);
  };
  return {
    keys: withOverrides(keys, { revoke: (keyId) => inSequence(async () => keys.revoke(keyId)) }),
    balances: withOverrides<BalanceStore>(balances, { hold, settle }),
    terms,
  };
}

type Refusal = "key_refused" | "terms_refused" | undefined;
type Checked = Pick<SharedStores, "keys" | "terms">;

async function holdUnless(
  refusal: Refusal,
  request: HoldRequest,
  balances: BalanceStore,
  mutations: SharedMutations,
  keyOfHold: Map<string, string>,
): Promise<HoldResult> {
  const { available } = await balances.balance(request.account);
  const known = keyOfHold.has(request.id) && !mutations.replayChecked;
  const balanceCheckedFirst = mutations.fundsFirst === true && available < request.amount;
  if (refusal !== undefined && !known && !balanceCheckedFirst) {
    if (mutations.refusedStillHolds) await balances.hold(request);
    return { outcome: refusal };
  }
  const result = await balances.hold(request);
  if (result.outcome === "held") keyOfHold.set(request.id, request.keyId);
  return result;
}

function holdCheck(stores: Checked, mutations: SharedMutations): (request: HoldRequest) => Promise<Refusal> {
  const remembered = new Map<string, ApiKey | undefined>();
  return async (request) => {
    const known = mutations.keyRemembered ? remembered.get(request.keyId) : undefined;
    const key = known ?? (await findKey(stores, request.keyId));
    remembered.set(request.keyId, key);
    if (!mutations.keyUnchecked && !isValid(key, request, mutations)) return "key_refused";
    return mutations.termsUnchecked || (await hasAccepted(stores, request, mutations)) ? undefined : "terms_refused";
  };
}

function isValid(key: ApiKey | undefined, request: HoldRequest, mutations: SharedMutations): boolean {
  if (key === undefined) return false;
  if (key.account !== request.account && !mutations.accountIgnored) return false;
  if (key.revokedAt !== undefined && !mutations.revocationIgnored) return false;
  return key.expiresAt === undefined || key.expiresAt.getTime() > Date.now() || mutations.expiryIgnored === true;
}

async function hasAccepted(stores: Checked, request: HoldRequest, mutations: SharedMutations): Promise<boolean> {
  const { account, terms } = request;
  if (terms.length === 0) return !mutations.noTermsRefused;
  const accounts = mutations.termsOfAnyAccount ? [account, `${account}-other`] : [account];
  const asked = mutations.firstTermAsked ? terms.slice(0, 1) : terms;
  const accepted = await Promise.all(
    asked.map(async (version) => {
      const found = await Promise.all(accounts.map(async (each) => stores.terms.acceptance(each, [version])));
      return found.some((acceptance) => acceptance !== undefined);
    }),
  );
  return mutations.allTermsAsked ? accepted.every(Boolean) : accepted.some(Boolean);
}

async function findKey({ keys }: Checked, keyId: string): Promise<ApiKey | undefined> {
  const { keys: all } = await keys.list({ limit: 1_000_000 });
  return all.find(({ id }) => id === keyId);
}

function sequentially(): <T>(step: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (step) => {
    const next = last.then(step);
    last = next;
    return next;
  };
}
