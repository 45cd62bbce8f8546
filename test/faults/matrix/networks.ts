import type { Network, TcpProxy } from "../../support/tcp-proxy.ts";
import type { Fault } from "./cell.ts";

/** Network faults. `outage` is false for a fault that a gateway must tolerate. */
export const networks: readonly { readonly name: string; readonly network: Network; readonly outage: boolean }[] = [
  { name: "resets every connection", network: "reset", outage: true },
  { name: "loses every byte", network: "lost", outage: true },
  { name: "is 40 ms late", network: { lateMs: 40 }, outage: false },
];

/** A fault of the network. */
export const networkFault = (proxy: TcpProxy, network: Network): Fault => ({
  begin() {
    proxy.network = network;
  },
  lift() {
    proxy.network = "pass";
  },
});
