/** A fault injected into one call of a port. It can run the real call before or after it fails, or never. */
export type Fault = (call: () => unknown) => unknown;

/** Returns the fault for the next call of a method, or undefined if the call should run normally. */
export type FaultPlan = (method: string) => Fault | undefined;

/**
 * Returns the port with injected faults. The plan is called before each call, so a test can end a fault at any time.
 */
export function faulty<Port extends object>(port: Port, plan: FaultPlan): Port {
  return new Proxy(port, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (...given: unknown[]): unknown => {
        const call = () => member.apply(target, given);
        const fault = plan(String(name));
        return fault === undefined ? call() : fault(call);
      };
    },
  });
}

/** The call fails without any effect. */
export const failsBefore =
  (error: () => Error): Fault =>
  async () => {
    throw error();
  };

/** The call takes effect, but its result is lost. */
export const failsAfter =
  (error: () => Error): Fault =>
  async (call) => {
    await call();
    throw error();
  };

/** The call takes effect after the given time, when the caller no longer waits for it. */
export const stalls =
  (milliseconds: number): Fault =>
  async (call) => {
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    return call();
  };
