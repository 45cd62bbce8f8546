import { isIP, connect as netConnect, type Socket } from "node:net";
import { type SecureContext, connect as tlsConnect } from "node:tls";
import { formatAddress } from "./address/format-address.ts";
import { parseAddress } from "./address/parse-address.ts";
import { type Connect, pinnedLookup } from "./connect-hook.ts";
import { codeOf, Fault, toFault } from "./fault.ts";
import type { Target } from "./read-target.ts";
import type { CheckedAddresses } from "./resolve-target.ts";
import { faultOf, timeLimit } from "./time-limit.ts";

/** The connection settings of a runner. */
export interface DialPolicy {
  /** The timeout for TCP and TLS together, in milliseconds. */
  readonly connectMs: number;
  readonly secureContext: SecureContext;
}

/**
 * Opens a connection to one of the checked addresses, with TLS if the target is https. All webhook sockets are opened
 * here. Throws `connect_error`, `tls_error` or `blocked_target` before any byte of the request is sent.
 */
export async function dial(
  target: Target,
  addresses: CheckedAddresses,
  { connectMs, secureContext }: DialPolicy,
  signal: AbortSignal,
  connect: Connect = netConnect,
): Promise<Socket> {
  const limit = timeLimit(
    signal,
    connectMs,
    new Fault("connect_error", `The connection was not established within ${connectMs} ms.`),
  );
  try {
    const socket = await opened(openSocket(target, addresses, connect), "connect", limit.signal);
    requireChecked(socket, addresses);
    return target.secure ? await secured(socket, target, secureContext, limit.signal) : socket;
  } finally {
    limit.clear();
  }
}

function openSocket({ host, port }: Target, addresses: CheckedAddresses, connect: Connect): Socket {
  return connect({
    host: isIP(host) === 0 ? host : addresses[0],
    port,
    lookup: pinnedLookup(addresses),
    autoSelectFamily: true,
    // Node's default of 250 ms per address is too short for a handshake with a distant server.
    autoSelectFamilyAttemptTimeout: 1_000,
    noDelay: true,
  });
}

/** Verifies the result of the lookup hook, as defense in depth. */
function requireChecked(socket: Socket, addresses: CheckedAddresses): void {
  const remote = parseAddress(socket.remoteAddress ?? "");
  if (remote !== undefined && addresses.includes(formatAddress(remote))) return;
  socket.destroy();
  // A connection that was reset immediately has no address.
  if (remote === undefined)
    throw new Fault("connect_error", "The connection was reset immediately after it was opened.");
  throw new Fault("blocked_target", `The socket is connected to ${socket.remoteAddress}, which was not checked.`);
}

async function secured(socket: Socket, target: Target, context: SecureContext, signal: AbortSignal): Promise<Socket> {
  const { host } = target;
  const secure = tlsConnect({
    socket,
    host,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    secureContext: context,
    ALPNProtocols: ["http/1.1"],
    // Set explicitly, because the environment variable NODE_TLS_REJECT_UNAUTHORIZED changes the default.
    rejectUnauthorized: true,
  });
  try {
    return await opened(secure, "secureConnect", signal);
  } catch (error) {
    throw classifyHandshakeFailure(error);
  }
}

const resetCodes = ["ECONNRESET", "EPIPE", "ETIMEDOUT"];

function classifyHandshakeFailure(error: unknown): Fault {
  const code = error instanceof Fault ? codeOf(error.cause) : undefined;
  if (!(error instanceof Fault) || code === undefined || resetCodes.includes(code))
    return toFault(error, "connect_error");
  return new Fault("tls_error", error.message, { cause: error.cause });
}

/** Waits for the event. Destroys the socket if it fails or the signal aborts first. */
function opened<Opened extends Socket>(socket: Opened, event: string, signal: AbortSignal): Promise<Opened> {
  // Never removed: an unhandled "error" event would crash the process.
  socket.on("error", () => undefined);
  return new Promise((resolve, reject) => {
    const fail = (error: Fault) => {
      socket.destroy();
      signal.removeEventListener("abort", onAbort);
      reject(error);
    };
    const onAbort = () => fail(faultOf(signal));
    socket.once(event, () => {
      signal.removeEventListener("abort", onAbort);
      resolve(socket);
    });
    socket.once("error", (error) => fail(toFault(error, "connect_error")));
    socket.once("close", () =>
      fail(new Fault("connect_error", "The connection was closed while it was being established.")),
    );
    signal.addEventListener("abort", onAbort);
    if (signal.aborted) onAbort();
  });
}
