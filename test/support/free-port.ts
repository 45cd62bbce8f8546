import { once } from "node:events";
import { connect, createServer } from "node:net";

// Below the ports that operating systems assign, so that no server that is assigned a port takes a free one first.
const [firstPort, portCount] = [20_000, 12_000];

/** Returns a port of the loopback interface on which nothing listens at the moment. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = firstPort + Math.floor(Math.random() * portCount);
    const server = createServer().listen(port);
    const isFree = await once(server, "listening").then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, "close");
    return port;
  }
  throw new Error("No free port was found. Stop servers that listen, and run the tests again.");
}

/**
 * Returns a port that refuses connections for as long as the server at `port` keeps its connections open, because it is
 * the local port of one of them. A free port could be assigned to another server in the meantime.
 */
export async function refusingPort(port: number): Promise<number> {
  const socket = connect(port, "127.0.0.1").on("error", () => undefined);
  await once(socket, "connect");
  if (socket.localPort === undefined) throw new Error("The operating system assigned no port. Run the tests again.");
  return socket.localPort;
}

/** Returns true if a server accepts connections on the port. */
export function listens(port: number, host = "127.0.0.1"): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host);
    const finish = (found: boolean) => {
      socket.destroy();
      resolve(found);
    };
    socket.once("connect", () => finish(true)).once("error", () => finish(false));
  });
}
