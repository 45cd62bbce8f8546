import { faulty } from "../../support/faulty.ts";
import type { Fault } from "./cell.ts";
import type { Column } from "./faults.ts";
import type { Operation, Ports } from "./ports.ts";

/** A fault of one operation of a port. */
export class PortFault implements Fault {
  readonly #operation: Operation;
  readonly #column: Column;
  readonly #calls: Promise<unknown>[] = [];
  #lasts = false;

  constructor(operation: Operation, column: Column) {
    this.#operation = operation;
    this.#column = column;
  }

  /** Returns the ports with this fault in one of them. */
  applyTo(ports: Ports): Ports {
    return {
      keys: this.#wrap("keys", ports.keys),
      balances: this.#wrap("balances", ports.balances),
      terms: this.#wrap("terms", ports.terms),
      limiter: this.#wrap("limiter", ports.limiter),
      sessions: this.#wrap("sessions", ports.sessions),
    };
  }

  begin(): void {
    this.#lasts = true;
  }

  async lift(): Promise<void> {
    this.#lasts = false;
    await Promise.all(this.#calls);
  }

  #wrap<Port extends object>(name: string, port: Port): Port {
    const fault = this.#column.make();
    return faulty(port, (verb) => {
      if (!this.#lasts || `${name}.${verb}` !== this.#operation) return undefined;
      return (call) => {
        const answer = fault(call);
        this.#calls.push(Promise.allSettled([answer]));
        return answer;
      };
    });
  }
}
