import { request as httpRequest } from "node:http";
import { isIPv4, type LookupFunction, connect as netConnect, Socket } from "node:net";
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

/** Creates an HTTP request, as `request` of node:http does. */
export type CreateRequest = typeof httpRequest;

/**
 * Checks that this runtime calls the lookup hook before it connects a socket; some runtimes accept the option and
 * ignore it. Also checks that a request can be sent on such a socket. Throws an Error with the code `unguarded_runtime` if
 * either cannot be done. Makes no connection.
 */
export function requireConnectHook(connect: Connect = netConnect, request: CreateRequest = httpRequest): void {
  let called = false;
  const lookup: LookupFunction = () => {
    called = true;
  };
  const socket = connect({ host: "connect-hook.invalid", port: 443, lookup });
  socket.on("error", () => undefined);
  socket.destroy();
  if (!called || !acceptsSocket(request)) throw unguardedRuntime();
}

/** Returns false if the request does not ask for the socket. workerd throws for this option. */
function acceptsSocket(request: CreateRequest): boolean {
  const socket = new Socket();
  let asked = false;
  const createConnection = () => {
    asked = true;
    return socket;
  };
  try {
    const unsent = request({ host: "connect-hook.invalid", createConnection });
    unsent.on("error", () => undefined);
    unsent.destroy();
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
  return asked;
}

function unguardedRuntime(): Error {
  const message =
    "unguarded_runtime: this runtime opens connections that the runner cannot check, so webhooks could reach " +
    "private addresses. Run on Node 20.19 or later, or pass a WebhookRunner of your own.";
  return Object.assign(new Error(message), { code: "unguarded_runtime" });
}
