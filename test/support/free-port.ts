import { once } from "node:events";
import { connect, createServer } from "node:net";

/** A port of the loopback interface on which nothing listens at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("The system gave no port. Run the tests again.");
  return address.port;
}

/**
 * A port on which nothing listens, and nothing can for as long as the server at `port` keeps its connections: it is the
 * near end of one of them. A free port would be given to whatever listens next.
 */
export async function refusingPort(port: number): Promise<number> {
  const socket = connect(port, "127.0.0.1").on("error", () => undefined);
  await once(socket, "connect");
  if (socket.localPort === undefined) throw new Error("The system gave no port. Run the tests again.");
  return socket.localPort;
}

/** True when something accepts a connection there. */
export function listens(port: number, host = "127.0.0.1"): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host);
    const answer = (found: boolean) => {
      socket.destroy();
      resolve(found);
    };
    socket.once("connect", () => answer(true)).once("error", () => answer(false));
  });
}
