import type { Mountable } from "@tollgate/core";
import { isPromise } from "@tollgate/core/internal";

/** True for a gateway, and for everything else that an adapter can mount. */
export const isMountable = (value: unknown): value is Mountable =>
  typeof value === "object" && value !== null && "endpoint" in value && "handle" in value && "diagnostics" in value;

/**
 * Throws a TypeError unless an adapter got a Mountable. TypeScript reports most of these mistakes, JavaScript none.
 * `call` is how to call the adapter, such as `tollgate(gateway)`.
 */
export function requireMountable(value: unknown, call: string): void {
  if (isMountable(value)) return;
  throw new TypeError(`The mount got ${describe(value)} in place of a gateway. ${cureOf(value, call)}`);
}

function describe(value: unknown): string {
  if (isPromise(value)) return "a promise";
  if (value === null || value === undefined) return String(value);
  return typeof value === "object" ? "an object without `handle`, `endpoint` and `diagnostics`" : `a ${typeof value}`;
}

const cureOf = (value: unknown, call: string): string =>
  isPromise(value)
    ? `Await it first: \`const gateway = await ...\`, then \`${call}\`.`
    : `Write \`${call}\` with what \`createGateway\` returned.`;
