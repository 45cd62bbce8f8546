import { isIP, connect as netConnect, type Socket } from "node:net";
import { type SecureContext, connect as tlsConnect } from "node:tls";
import { formatAddress } from "./address/format-address.ts";
import { parseAddress } from "./address/parse-address.ts";
import { type Connect, pinnedLookup } from "./connect-hook.ts";
import { codeOf, Fault, toFault } from "./fault.ts";
import type { Target } from "./read-target.ts";
import type { CheckedAddresses } from "./resolve-target.ts";
import { faultOf, timeLimit } from "./time-limit.ts";

/** How connections are made. */
export interface DialPolicy {
  /** For TCP and TLS together, in milliseconds. */
  readonly connectMs: number;
  readonly secureContext: SecureContext;
}

/**
 * Opens a connection to one of the checked addresses, with TLS when the target wants it. It is the one place that
 * opens sockets; nothing has been sent when it throws `connect_error`, `tls_error` or `blocked_target`.
 */
export async function dial(
  target: Target,
  addresses: CheckedAddresses,
  { connectMs, secureContext }: DialPolicy,
  signal: AbortSignal,
  connect: Connect = netConnect,
): Promise<Socket> {
  const limit = timeLimit(signal, connectMs, new Fault("connect_error", `No connection within ${connectMs} ms.`));
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
    // Node gives the first address 250 ms, which is less than a handshake across the world takes.
    autoSelectFamilyAttemptTimeout: 1_000,
    noDelay: true,
  });
}

/** An assertion: the hook has seen to it already. */
function requireChecked(socket: Socket, addresses: CheckedAddresses): void {
  const remote = parseAddress(socket.remoteAddress ?? "");
  if (remote !== undefined && addresses.includes(formatAddress(remote))) return;
  socket.destroy();
  // A connection that was reset at once has no address any more.
  if (remote === undefined) throw new Fault("connect_error", "The connection was reset as soon as it was made.");
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
    // Said aloud, since NODE_TLS_REJECT_UNAUTHORIZED changes what holds without it.
    rejectUnauthorized: true,
  });
  try {
    return await opened(secure, "secureConnect", signal);
  } catch (error) {
    throw classifyHandshakeFailure(error);
  }
}

const brokenOff = ["ECONNRESET", "EPIPE", "ETIMEDOUT"];

function classifyHandshakeFailure(error: unknown): Fault {
  const code = error instanceof Fault ? codeOf(error.cause) : undefined;
  if (!(error instanceof Fault) || code === undefined || brokenOff.includes(code))
    return toFault(error, "connect_error");
  return new Fault("tls_error", error.message, { cause: error.cause });
}

/** Waits for the event; a socket that fails or is given up before it is destroyed. */
function opened<Opened extends Socket>(socket: Opened, event: string, signal: AbortSignal): Promise<Opened> {
  // It stays: an error that nobody listens to ends the process.
  socket.on("error", () => undefined);
  return new Promise((resolve, reject) => {
    const fail = (error: Fault) => {
      socket.destroy();
      signal.removeEventListener("abort", giveUp);
      reject(error);
    };
    const giveUp = () => fail(faultOf(signal));
    socket.once(event, () => {
      signal.removeEventListener("abort", giveUp);
      resolve(socket);
    });
    socket.once("error", (error) => fail(toFault(error, "connect_error")));
    socket.once("close", () => fail(new Fault("connect_error", "The connection was closed while it was made.")));
    signal.addEventListener("abort", giveUp);
    if (signal.aborted) giveUp();
  });
}
