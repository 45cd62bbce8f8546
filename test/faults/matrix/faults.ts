import { setTimeout as pause } from "node:timers/promises";
import { runInNewContext } from "node:vm";
import { type Fault, failsAfter, failsBefore, stalls } from "../../support/faulty.ts";

/** How long a store takes that stalls, and a pool that is empty, in milliseconds. */
export const stallMs = 5_000;
const acquireTimeoutMs = 120;

/** What hangs on the errors of some database clients, and must never be seen. */
export const planted = "hunter2";

/** A column of the matrix: what befalls every call of one operation until it is lifted. */
export interface Column {
  readonly name: string;
  /** Whether it is a fault at all; what is not, a gateway has to put up with. */
  readonly outage: boolean;
  /** The call takes effect in the end, but its answer is late, or none. */
  readonly answer?: "late" | "garbage";
  /** Made anew for each cell, since some alternate. */
  make(): Fault;
}

const column = (name: string, make: () => Fault, answer?: "late" | "garbage"): Column => ({
  name,
  outage: true,
  make,
  ...(answer && { answer }),
});

/** Every column. Errors have the shape that `pg` and Node give theirs. */
export const columns: readonly Column[] = [
  column("stalls and then takes effect", () => stalls(stallMs), "late"),
  column("takes effect and then stalls", () => answersLate, "late"),
  column("fails before its effect", () => failsBefore(failure("connection lost"))),
  column("fails after its effect", () => failsAfter(failure("connection lost"))),
  column("loses its connection, before or after its effect", () => inTurn([failsBefore(reset), failsAfter(reset)])),
  column("finds the pool of connections empty", () => poolEmpty),
  column("meets a server that is read-only", () => failsBefore(refusal("25006", "cannot execute in a read-only one"))),
  column("cannot be serialized", () => failsBefore(refusal("40001", "could not serialize access"))),
  column("is the victim of a deadlock", () => failsBefore(refusal("40P01", "deadlock detected"))),
  column("finds the disk full", () => failsBefore(refusal("53100", "could not extend file"))),
  column("throws at once", () => throwsAtOnce),
  column("answers what is no answer", () => inTurn(garbage.map(answers)), "garbage"),
  column("answers what is no answer, by a thenable", () => thenable(() => "yes"), "garbage"),
  { name: "answers by a thenable", outage: false, make: () => thenable((answer) => answer) },
];

const garbage: readonly unknown[] = [{}, 42, "yes", [], { outcome: 1, granted: 1 }];

function failure(message: string, members: object = {}): () => Error {
  const hanging = { parameters: [planted], connectionString: `postgres://app:${planted}@db/app` };
  return () => Object.assign(new Error(message), hanging, members);
}

const refusal = (code: string, message: string) => failure(message, { code, severity: "ERROR", file: "postgres.c" });
const reset = failure("read ECONNRESET", { code: "ECONNRESET", errno: -104, syscall: "read" });

/** The call takes effect, and its answer comes when nobody waits for it any more. */
export const answersLate: Fault = async (call) => {
  const answer = await call();
  await pause(stallMs);
  return answer;
};

const poolEmpty: Fault = async () => {
  await pause(acquireTimeoutMs);
  throw failure("timeout exceeded when trying to connect")();
};

const throwsAtOnce: Fault = () => {
  throw failure("the client is closed")();
};

const answers =
  (garbage: unknown): Fault =>
  async (call) => {
    await call();
    return garbage;
  };

/** Answers by what can be awaited but is no Promise of this realm, such as some database clients give. */
const thenable =
  (change: (answer: unknown) => unknown): Fault =>
  (call) =>
    new ForeignPromise((resolve) => resolve(Promise.resolve(call()).then(change)));

const ForeignPromise: PromiseConstructor = runInNewContext("Promise");

function inTurn(faults: readonly Fault[]): Fault {
  let calls = 0;
  return (call) => faults[calls++ % faults.length]?.(call);
}
