import type { Entry } from "@tollgate/core/store";
import { isRecord } from "../../support/is-record.ts";
import { readCharges } from "../dialects/read-charges.ts";
import { isWholeAnswer, spokenDialects } from "../dialects/small-request.ts";
import type { StoreAddress } from "../processes/open-store.ts";
import { type OpenStores, openStores } from "../processes/open-stores.ts";
import type { RacedAnswer, RequestRaceTask } from "../processes/request-race-worker.ts";
import type { LedgerMutation } from "../processes/statement-mutations.ts";
import { Racers } from "./racers.ts";

/** The price of a request in nano-units. */
const amount = 100_000_000n;
const price = "0.1";

/** The extent of a race. */
export interface RaceSize {
  readonly rounds: number;
  readonly processes: number;
  /** The number of clients of all processes together. */
  readonly clients: number;
  /** The number of requests that the balance of a round covers. */
  readonly payable: number;
}

/** The findings of a race. */
export interface RacedRequests {
  readonly violations: readonly string[];
  readonly figures: Readonly<Record<string, number>>;
}

/**
 * Makes the clients of several processes send requests in every dialect until their account is exhausted, and compares
 * what they received with the ledger.
 */
export async function raceRequests(
  address: StoreAddress,
  { rounds, processes, clients, payable }: RaceSize,
  mutation?: LedgerMutation,
): Promise<RacedRequests> {
  const stores = await openStores(address);
  const task: RequestRaceTask = { store: address, clients, price, mutation };
  const racers = await Racers.start<readonly RacedAnswer[]>("request-race-worker", task, processes);
  const violations: string[] = [];
  const received: RacedAnswer[] = [];
  let sharedRounds = 0;
  try {
    for (let round = 0; round < rounds; round++) {
      const account = `round-${round}`;
      const { secret } = await stores.keys.create({ account, plan: "prepaid" });
      // The balance is one unit short of another request.
      const funds = amount * BigInt(payable + 1) - 1n;
      await stores.balances.credit({ id: account, account, amount: funds, reason: "top-up" });
      const replies = await racers.race(secret);
      if (replies.every((answers) => answers.some(isAnswered))) sharedRounds++;
      received.push(...replies.flat());
      violations.push(...(await checkRound(stores, account, replies.flat(), payable)));
    }
    violations.push(...(await stores.balances.verify()).map(({ problem }) => problem));
  } finally {
    await racers.stop();
    await stores.close();
  }
  return {
    violations,
    figures: { rounds, processes, ...countAnswers(received), "rounds that all shared": sharedRounds },
  };
}

async function checkRound(
  { balances }: OpenStores,
  account: string,
  answers: readonly RacedAnswer[],
  payable: number,
): Promise<string[]> {
  const answered = answers.filter(isAnswered);
  const others = answers.filter((each) => !isAnswered(each) && !isOwnRefusal(each));
  const charges = await readCharges(balances, account);
  const { posted, held } = await balances.balance(account);
  const ids = new Set(answered.map(({ requestId }) => requestId));
  return [
    ...(answered.length === payable ? [] : [`${answered.length} requests were answered instead of ${payable}.`]),
    ...(posted === amount - 1n && held === 0n ? [] : [`The balance is ${posted}, of which ${held} are held.`]),
    ...others.map(({ dialect, status, text }) => `A request in ${dialect} got ${status} ${text.slice(0, 300)}`),
    ...answered.filter((each) => !isCharged(each, charges.get(each.requestId) ?? [])).map(notCharged),
    ...[...charges.keys()].filter((id) => id !== "" && !ids.has(id)).map((id) => `${id} was charged and not answered.`),
  ];
}

const notCharged = ({ requestId, dialect }: RacedAnswer): string =>
  `The request ${requestId} in ${dialect} was answered and not charged once, with a receipt of its dialect.`;

const isAnswered = (answer: RacedAnswer): boolean => isWholeAnswer(answer, answer.status, answer.text);

const isCharged = ({ dialect }: RacedAnswer, [charge, ...more]: readonly Entry[]): boolean =>
  charge?.amount === -amount && charge.receipt?.dialect === dialect && more.length === 0;

/** Returns true for a 402 as clients of the dialect read it. */
function isOwnRefusal({ requestId, dialect, status, text }: RacedAnswer): boolean {
  const body: unknown = status === 402 && text.startsWith("{") ? JSON.parse(text) : undefined;
  if (!isRecord(body) || !isRecord(body["error"])) return false;
  const { type, code, message } = body["error"];
  if (typeof message !== "string" || !message.includes("Top up the balance")) return false;
  if (dialect !== "messages") return Object.keys(body).length === 1 && code === "insufficient_balance";
  return body["type"] === "error" && type === "billing_error" && body["request_id"] === requestId;
}

/** Counts the answers of each dialect, the streams among them, and the refusals. */
function countAnswers(received: readonly RacedAnswer[]): Record<string, number> {
  const answered = received.filter(isAnswered);
  const counts = spokenDialects.map(
    (name) => [name, answered.filter(({ dialect }) => dialect === name).length] as const,
  );
  return {
    answered: answered.length,
    ...Object.fromEntries(counts),
    "of which streams": answered.filter(({ stream }) => stream).length,
    refused: received.filter(isOwnRefusal).length,
  };
}
