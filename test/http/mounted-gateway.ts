import type { Mountable } from "@tollgate/core";
import type { Mount, Variant } from "./mounts/mount.ts";
import { prefix } from "./scene.ts";

/** Sends a request to a path below the prefix of a gateway. */
export type Send = (path: string, init?: RequestInit) => Promise<Response>;

/** Returns a function that sends requests to a gateway without a server. */
export const sendTo =
  (gateway: Mountable): Send =>
  (path, init) =>
    gateway.fetch(new Request(`http://gateway.test${prefix}${path}`, init));

/** A gateway on a server, mounted at {@link prefix}. Declare it with `await using` to close it at the end of the scope. */
export interface MountedGateway extends AsyncDisposable {
  readonly send: Send;
}

/** Mounts a gateway. */
export async function mountGateway(gateway: Mountable, mount: Mount, variant: Variant): Promise<MountedGateway> {
  const host = await mount.start({ [prefix]: gateway }, variant);
  return {
    send(path, init) {
      const headers = new Headers(init?.headers);
      // A connection that is kept alive would delay the close of the host.
      headers.set("connection", "close");
      return fetch(`http://127.0.0.1:${host.port}${prefix}${path}`, { ...init, headers });
    },
    [Symbol.asyncDispose]: () => host.close(),
  };
}
