import type { Network, TcpProxy } from "../../support/tcp-proxy.ts";
import type { Fault } from "./cell.ts";

/** What a network can do to the way to a server; `outage` is false for what a gateway has to put up with. */
export const networks: readonly { readonly name: string; readonly network: Network; readonly outage: boolean }[] = [
  { name: "resets every connection", network: "reset", outage: true },
  { name: "loses every byte", network: "lost", outage: true },
  { name: "is 40 ms late", network: { lateMs: 40 }, outage: false },
];

/** A network that is broken while it lasts. */
export const networkFault = (proxy: TcpProxy, network: Network): Fault => ({
  begin() {
    proxy.network = network;
  },
  lift() {
    proxy.network = "pass";
  },
});
