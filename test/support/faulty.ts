/** What befalls one call of a port: it may make the real call, before or after it fails, or not at all. */
export type Fault = (call: () => unknown) => unknown;

/** Which fault meets a verb now; undefined: none. */
export type FaultPlan = (verb: string) => Fault | undefined;

/** The port with the faults of a plan, which is asked at each call, so that a fault can be lifted at any time. */
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

/** The call fails and has done nothing. */
export const failsBefore =
  (error: () => Error): Fault =>
  async () => {
    throw error();
  };

/** The call takes effect, and its answer is lost. */
export const failsAfter =
  (error: () => Error): Fault =>
  async (call) => {
    await call();
    throw error();
  };

/** The call takes effect only after the time has passed, when nobody waits for it any more. */
export const stalls =
  (milliseconds: number): Fault =>
  async (call) => {
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    return call();
  };
