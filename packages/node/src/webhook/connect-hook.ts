import { isIPv4, type LookupFunction, connect as netConnect } from "node:net";
import type { CheckedAddresses } from "./resolve-target.ts";

/** Opens sockets, as `connect` of node:net does. */
export type Connect = typeof netConnect;

/** A lookup hook that returns the checked addresses, in both result formats of node:net (with and without `all`). */
export function pinnedLookup([first, ...rest]: CheckedAddresses): LookupFunction {
  const entry = (address: string) => ({ address, family: isIPv4(address) ? 4 : 6 });
  return (_host, options, callback) => {
    if (options.all === true) callback(null, [first, ...rest].map(entry));
    else callback(null, first, entry(first).family);
  };
}

/**
 * Checks that this runtime calls the lookup hook before it connects a socket; some runtimes accept the option and
 * ignore it. Throws an Error with the code `unguarded_runtime` if the hook is not called at once. Makes no connection.
 */
export function requireConnectHook(connect: Connect = netConnect): void {
  let called = false;
  const lookup: LookupFunction = () => {
    called = true;
  };
  const socket = connect({ host: "connect-hook.invalid", port: 443, lookup });
  socket.on("error", () => undefined);
  socket.destroy();
  if (!called) throw unguardedRuntime();
}

function unguardedRuntime(): Error {
  const message =
    "unguarded_runtime: this runtime opens sockets without calling the lookup hook, so webhooks could reach private " +
    "addresses. Run on Node 20.19 or later, or pass a WebhookRunner of your own.";
  return Object.assign(new Error(message), { code: "unguarded_runtime" });
}
