import type { SharedStores } from "@tollgate/contract";
import { memoryBalanceStore, memoryKeyStore, memoryTermsStore } from "@tollgate/core";
import type { ApiKey, BalanceStore, HoldRequest, HoldResult } from "@tollgate/core/store";
import { withFlaw } from "./failures.ts";

/** Each is one thing that a store which checks keys and terms in its holds can get wrong. */
export interface SharedFlaws {
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

/** Memory stores whose holds check keys and terms, one step at a time, with a switch for each mistake. */
export function breakableSharedStores(flaws: SharedFlaws): SharedStores {
  const inTurn = oneAtATime();
  const balances = memoryBalanceStore();
  const keys = memoryKeyStore();
  const terms = memoryTermsStore();
  const check = holdCheck({ keys, terms }, flaws);
  const keyOfHold = new Map<string, string>();
  const step = (request: HoldRequest, refusal: Refusal) => holdUnless(refusal, request, balances, flaws, keyOfHold);
  const hold = async (request: HoldRequest): Promise<HoldResult> => {
    if (!flaws.checkedBeforeTheStep) return inTurn(async () => step(request, await check(request)));
    const early = await check(request);
    await new Promise((resolve) => setTimeout(resolve, 2));
    return inTurn(() => step(request, early));
  };
  const settle: BalanceStore["settle"] = async (id, amount) => {
    const key = await findKey({ keys, terms }, keyOfHold.get(id) ?? "");
    if (flaws.settlementChecked && key?.revokedAt !== undefined) return { outcome: "conflict" };
    return balances.settle(id, amount);
  };
  return {
    keys: withFlaw(keys, { revoke: (keyId) => inTurn(async () => keys.revoke(keyId)) }),
    balances: withFlaw<BalanceStore>(balances, { hold, settle }),
    terms,
  };
}

type Refusal = "key_refused" | "terms_refused" | undefined;
type Checked = Pick<SharedStores, "keys" | "terms">;

async function holdUnless(
  refusal: Refusal,
  request: HoldRequest,
  balances: BalanceStore,
  flaws: SharedFlaws,
  keyOfHold: Map<string, string>,
): Promise<HoldResult> {
  const { available } = await balances.balance(request.account);
  const known = keyOfHold.has(request.id) && !flaws.replayChecked;
  const fundsToldFirst = flaws.fundsFirst === true && available < request.amount;
  if (refusal !== undefined && !known && !fundsToldFirst) {
    if (flaws.refusedStillHolds) await balances.hold(request);
    return { outcome: refusal };
  }
  const result = await balances.hold(request);
  if (result.outcome === "held") keyOfHold.set(request.id, request.keyId);
  return result;
}

function holdCheck(stores: Checked, flaws: SharedFlaws): (request: HoldRequest) => Promise<Refusal> {
  const remembered = new Map<string, ApiKey | undefined>();
  return async (request) => {
    const known = flaws.keyRemembered ? remembered.get(request.keyId) : undefined;
    const key = known ?? (await findKey(stores, request.keyId));
    remembered.set(request.keyId, key);
    if (!flaws.keyUnchecked && !isGood(key, request, flaws)) return "key_refused";
    return flaws.termsUnchecked || (await hasAccepted(stores, request, flaws)) ? undefined : "terms_refused";
  };
}

function isGood(key: ApiKey | undefined, request: HoldRequest, flaws: SharedFlaws): boolean {
  if (key === undefined) return false;
  if (key.account !== request.account && !flaws.accountIgnored) return false;
  if (key.revokedAt !== undefined && !flaws.revocationIgnored) return false;
  return key.expiresAt === undefined || key.expiresAt.getTime() > Date.now() || flaws.expiryIgnored === true;
}

async function hasAccepted(stores: Checked, request: HoldRequest, flaws: SharedFlaws): Promise<boolean> {
  const { account, terms } = request;
  if (terms.length === 0) return !flaws.noTermsRefused;
  const accounts = flaws.termsOfAnyAccount ? [account, `${account}-other`] : [account];
  const asked = flaws.firstTermAsked ? terms.slice(0, 1) : terms;
  const accepted = await Promise.all(
    asked.map(async (version) => {
      const found = await Promise.all(accounts.map(async (each) => stores.terms.acceptance(each, [version])));
      return found.some((acceptance) => acceptance !== undefined);
    }),
  );
  return flaws.allTermsAsked ? accepted.every(Boolean) : accepted.some(Boolean);
}

async function findKey({ keys }: Checked, keyId: string): Promise<ApiKey | undefined> {
  const { keys: all } = await keys.list({ limit: 1_000_000 });
  return all.find(({ id }) => id === keyId);
}

function oneAtATime(): <T>(step: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (step) => {
    const next = last.then(step);
    last = next;
    return next;
  };
}
