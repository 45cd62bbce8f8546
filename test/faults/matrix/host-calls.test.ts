import { expect } from "vitest";
import { eventually } from "./cell.ts";
import { type Column, columns } from "./faults.ts";
import { type Case, inLanes } from "./lanes.ts";
import { PortFault } from "./port-fault.ts";
import { memoryPorts, type Operation } from "./ports.ts";
import { quick, Scene } from "./scene.ts";

/** A call of the host, and the status of a client's request before and after it takes effect. */
interface HostCall {
  readonly operation: Operation;
  readonly before: 200 | 428;
  readonly after: 200 | 401;
  make(scene: Scene, keyId: string): Promise<unknown>;
  /** Whether the call of the host fails. The gateway validates the results of a store; a direct call does not. */
  fails(column: Column): boolean;
}

const revoke: HostCall = {
  operation: "keys.revoke",
  before: 200,
  after: 401,
  make: async ({ ports }, keyId) => ports.keys.revoke(keyId),
  // The host calls its store directly and without a timeout.
  fails: ({ outage, answer }) => outage && answer === undefined,
};

const accept: HostCall = {
  operation: "terms.accept",
  before: 428,
  after: 200,
  make: async ({ tested, accounts }) => tested.gateway.terms.accept(accounts[1], "terms-2"),
  fails: ({ outage }) => outage,
};

const cases = [revoke, accept].flatMap((hostCall) => columns.map((column) => toCase(hostCall, column)));

function toCase({ operation, before, after, make, fails }: HostCall, column: Column): Case {
  const failure = fails(column);
  return {
    name: `${operation} ${column.name}: the call ${failure ? "fails and can be repeated" : "succeeds"}`,
    async run() {
      const sound = memoryPorts();
      const fault = new PortFault(operation, column);
      const scene = new Scene(sound, fault.applyTo(sound), quick);
      const [, { key, secret }] = await scene.open({ freshAccepts: operation !== "terms.accept" });
      expect((await scene.ask(secret, "answer")).status).toBe(before);
      fault.begin();
      const [outcome] = await Promise.allSettled([make(scene, key.id)]);
      expect(outcome.status).toBe(failure ? "rejected" : "fulfilled");
      const meanwhile = (await scene.ask(secret, "answer")).status;
      expect(failure ? [before, after] : [after]).toContain(meanwhile);
      await fault.lift();
      await make(scene, key.id);
      expect((await scene.ask(secret, "answer")).status).toBe(after);
      await eventually(() => scene.expectRest());
      scene.expectNoSecrets();
      return scene.figures();
    },
  };
}

inLanes("calls of the host under faults", cases, 28);
