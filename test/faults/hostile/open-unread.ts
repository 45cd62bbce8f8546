import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** Opens connections, writes a request on each, and reads nothing. */
export function openUnread(port: number, requests: readonly (string | Buffer)[]): Promise<Socket[]> {
  return Promise.all(
    requests.map(async (request) => {
      const socket = connect(port, "127.0.0.1").on("error", () => undefined);
      await once(socket, "connect");
      socket.pause().write(request);
      return socket;
    }),
  );
}

/** Returns a function that closes connections. */
export const destroyAll = (sockets: readonly Socket[]) => () => {
  for (const socket of sockets) socket.destroy();
};
