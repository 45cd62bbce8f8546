import type { AbleContext, Context } from "./case.ts";
import { type Bounds, requireEqual, requireTrue, requireWithin } from "./check.ts";
import type { Accounts, Balance, Key, NewKey } from "./driver.ts";
import { costOf, type SuiteModel } from "./models.ts";
import type { Delivery } from "./provider/script.ts";

/** An account of one case, with its first key. */
export interface Account {
  readonly id: string;
  readonly key: Key;
  /** The nano-units that were credited first. */
  readonly credited: bigint;
}

/** What a case needs to open and read accounts. */
export type WithAccounts = AbleContext<"accounts">;

/** What an account owes and has paid. */
export interface Books extends Balance {
  /** What each request was charged, in nano-units. Requests that cost nothing are left out. */
  readonly charges: readonly bigint[];
  readonly credited: bigint;
}

/** One unit of the currency: more than any request of the suite costs. */
export const plenty = 1_000_000_000n;

/** Opens an account with a credit and a key. */
export async function openAccount(
  { can, accounts }: WithAccounts,
  { credit = plenty, ...wanted }: { readonly credit?: bigint } & Omit<NewKey, "account"> = {},
): Promise<Account> {
  const id = `account-${crypto.randomUUID()}`;
  accounts.push(id);
  if (credit > 0n) await can.accounts.credit({ account: id, amount: credit, id: `first-${id}` });
  return { id, key: await can.accounts.createKey({ account: id, ...wanted }), credited: credit };
}

/** Returns the secret of a new key; any text in a gateway without accounts. */
export async function anySecret(context: Context): Promise<string> {
  const { accounts } = context.gateway.abilities;
  if (accounts === undefined) return "sk-anyone-0123456789abcdef";
  return (await openAccount({ ...context, can: { accounts } })).key.secret;
}

/** Reads the balance and the ledger of an account. Rejects while something is held, and where both do not agree. */
export async function readBooks(accounts: Accounts, account: string): Promise<Books> {
  const [entries, { posted, held }] = [await accounts.entries(account), await accounts.balance(account)];
  requireEqual(held, 0n, "held when no request runs");
  const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
  requireEqual(sum(entries.map(({ amount }) => amount)), posted, "the sum of the ledger is not the balance");
  const byRequest = new Map<string, bigint>();
  for (const { kind, reference, amount } of entries)
    if (kind === "charge") byRequest.set(reference, (byRequest.get(reference) ?? 0n) - amount);
  const credits = entries.filter(({ kind }) => kind === "credit").map(({ amount }) => amount);
  return { posted, held, charges: [...byRequest.values()].filter((amount) => amount !== 0n), credited: sum(credits) };
}

/** Waits until nothing is held and exactly these amounts are charged, in any order. */
export const expectCharges = (
  { can, eventually }: WithAccounts,
  { id }: Pick<Account, "id">,
  expected: readonly bigint[],
): Promise<Books> =>
  eventually(async () => {
    const books = await readBooks(can.accounts, id);
    requireEqual(sorted(books.charges), sorted(expected.filter((amount) => amount !== 0n)), "charges in nano-units");
    return books;
  });

/**
 * Waits until nothing is held, and compares what is charged with what the provider has delivered: each delivery at most once,
 * exactly its usage where the provider has told one to the end, and else within {@link fairBounds}.
 */
export const expectFairCharges = (
  { can, eventually }: WithAccounts,
  { id }: Pick<Account, "id">,
  model: SuiteModel,
  deliveries: readonly Delivery[],
): Promise<Books> =>
  eventually(async () => {
    const books = await readBooks(can.accounts, id);
    requireFair(
      books.charges,
      deliveries.map((delivery) => fairBounds(model, delivery)),
    );
    return books;
  });

/** As {@link expectFairCharges}, and requires so many charges. */
export async function expectChargedTimes(
  times: number,
  context: WithAccounts,
  account: Pick<Account, "id">,
  model: SuiteModel,
  deliveries: readonly Delivery[],
): Promise<void> {
  const { charges } = await expectFairCharges(context, account, model, deliveries);
  requireEqual(charges.length, times, "charges");
}

/** Compares charges with the bounds of what was delivered: their number, and their sum. */
export function requireFair(charges: readonly bigint[], bounds: readonly Bounds[]): void {
  const total = charges.reduce((sum, charge) => sum + charge, 0n);
  const owed = bounds.filter(({ least }) => least > 0n).length;
  requireTrue(
    owed <= charges.length && charges.length <= bounds.length,
    `${charges.length} charges for ${bounds.length} deliveries, of which ${owed} must be charged`,
  );
  const least = bounds.reduce((sum, each) => sum + each.least, 0n);
  const most = bounds.reduce((sum, each) => sum + each.most, 0n);
  requireWithin(total, { least, most }, "charged in nano-units");
}

/**
 * What may be charged for a delivery. With its usage, exactly that. Without, at least a token for each 20 bytes of content that
 * the provider has sent, and at most one for each byte of the prompt and the content. A refusal costs nothing.
 */
export function fairBounds(model: SuiteModel, { told, ended, bytes, contentBytes }: Delivery): Bounds {
  if (ended === "refused") return { least: 0n, most: 0n };
  if (told !== undefined) return { least: costOf(model, told), most: costOf(model, told) };
  const most = costOf(model, { input: bytes, output: contentBytes });
  if (contentBytes === 0) return { least: 0n, most };
  return { least: costOf(model, { input: 1, output: Math.ceil(contentBytes / 20) }), most };
}

/**
 * What may be charged for a delivery to a process that was killed: nothing, the usage, or an estimate of what it had read by its
 * last heartbeat.
 */
export function killedBounds(model: SuiteModel, delivery: Delivery): Bounds {
  const [told, estimated] = [fairBounds(model, delivery), fairBounds(model, { ...delivery, told: undefined })];
  const { most } = told.most > estimated.most ? told : estimated;
  return { least: 0n, most };
}

const sorted = (amounts: readonly bigint[]): bigint[] => [...amounts].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
