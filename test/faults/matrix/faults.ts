import { setTimeout as pause } from "node:timers/promises";
import { runInNewContext } from "node:vm";
import { type Fault, failsAfter, failsBefore, stalls } from "../../support/faulty.ts";

/** The delays of a stalled store and of an empty pool, in milliseconds. */
export const stallMs = 5_000;
const acquireTimeoutMs = 120;

/** A secret in the errors of some database clients, which must never be exposed. */
export const seededSecret = "hunter2";

/** A column of the matrix: a fault of every call of one operation. */
export interface Column {
  readonly name: string;
  /** Whether it is an outage. A gateway must tolerate the others. */
  readonly outage: boolean;
  /** The call takes effect, but its result is late or invalid. */
  readonly answer?: "late" | "garbage";
  /** Creates the fault for a cell, since some faults have state. */
  make(): Fault;
}

const column = (name: string, make: () => Fault, answer?: "late" | "garbage"): Column => ({
  name,
  outage: true,
  make,
  ...(answer && { answer }),
});

/** Every column. Errors have the shape of those of `pg` and Node. */
export const columns: readonly Column[] = [
  column("stalls and then takes effect", () => stalls(stallMs), "late"),
  column("takes effect and then stalls", () => answersLate, "late"),
  column("fails before its effect", () => failsBefore(failure("connection lost"))),
  column("fails after its effect", () => failsAfter(failure("connection lost"))),
  column("loses its connection, before or after its effect", () =>
    alternating([failsBefore(reset), failsAfter(reset)]),
  ),
  column("finds the pool of connections empty", () => poolEmpty),
  column("meets a server that is read-only", () => failsBefore(refusal("25006", "cannot execute in a read-only one"))),
  column("cannot be serialized", () => failsBefore(refusal("40001", "could not serialize access"))),
  column("is the victim of a deadlock", () => failsBefore(refusal("40P01", "deadlock detected"))),
  column("finds the disk full", () => failsBefore(refusal("53100", "could not extend file"))),
  column("throws synchronously", () => throwsSynchronously),
  column("returns an invalid result", () => alternating(garbage.map(answers)), "garbage"),
  column("returns an invalid result in a thenable", () => thenable(() => "yes"), "garbage"),
  { name: "returns a thenable", outage: false, make: () => thenable((answer) => answer) },
];

const garbage: readonly unknown[] = [{}, 42, "yes", [], { outcome: 1, granted: 1 }];

function failure(message: string, members: object = {}): () => Error {
  const attached = { parameters: [seededSecret], connectionString: `postgres://app:${seededSecret}@db/app` };
  return () => Object.assign(new Error(message), attached, members);
}

const refusal = (code: string, message: string) => failure(message, { code, severity: "ERROR", file: "postgres.c" });
const reset = failure("read ECONNRESET", { code: "ECONNRESET", errno: -104, syscall: "read" });

/** The call takes effect, and its result arrives after the timeout. */
export const answersLate: Fault = async (call) => {
  const answer = await call();
  await pause(stallMs);
  return answer;
};

const poolEmpty: Fault = async () => {
  await pause(acquireTimeoutMs);
  throw failure("timeout exceeded when trying to connect")();
};

const throwsSynchronously: Fault = () => {
  throw failure("the client is closed")();
};

const answers =
  (garbage: unknown): Fault =>
  async (call) => {
    await call();
    return garbage;
  };

/** Returns a thenable of another realm, as some database clients do. */
const thenable =
  (change: (answer: unknown) => unknown): Fault =>
  (call) =>
    new ForeignPromise((resolve) => resolve(Promise.resolve(call()).then(change)));

const ForeignPromise: PromiseConstructor = runInNewContext("Promise");

function alternating(faults: readonly Fault[]): Fault {
  let calls = 0;
  return (call) => faults[calls++ % faults.length]?.(call);
}
