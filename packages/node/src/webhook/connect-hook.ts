import { isIPv4, type LookupFunction, connect as netConnect } from "node:net";
import type { CheckedAddresses } from "./resolve-target.ts";

/** Opens sockets, as `connect` of node:net does. */
export type Connect = typeof netConnect;

/** A lookup hook that answers with the checked addresses, in both shapes that node:net asks for (its `all` option). */
export function pinnedLookup([first, ...rest]: CheckedAddresses): LookupFunction {
  const entry = (address: string) => ({ address, family: isIPv4(address) ? 4 : 6 });
  return (_host, options, callback) => {
    if (options.all === true) callback(null, [first, ...rest].map(entry));
    else callback(null, first, entry(first).family);
  };
}

/**
 * Proves that this runtime asks the lookup hook of a socket before it connects; some take the option and ignore it.
 * Throws an Error whose code is `unguarded_runtime` when it does not ask at once. Nothing is contacted.
 */
export function requireConnectHook(connect: Connect = netConnect): void {
  let asked = false;
  const lookup: LookupFunction = () => {
    asked = true;
  };
  const socket = connect({ host: "connect-hook.invalid", port: 443, lookup });
  socket.on("error", () => undefined);
  socket.destroy();
  if (!asked) throw unguardedRuntime();
}

function unguardedRuntime(): Error {
  const message =
    "unguarded_runtime: this runtime opens sockets without asking the lookup hook, so it could be sent to private " +
    "addresses. Run on Node 20.19 or later, or pass a WebhookRunner of your own.";
  return Object.assign(new Error(message), { code: "unguarded_runtime" });
}
