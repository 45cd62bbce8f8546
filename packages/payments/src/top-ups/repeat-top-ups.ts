import { every } from "@tollgate/core/extension";
import type { PaymentServices } from "../services.ts";
import { chargeDueTopUps } from "./charge-due-top-ups.ts";

const intervalMs = 30_000;

/** Charges what is due every 30 seconds, until the returned function is called or the gateway drains. Keeps no process alive. */
export function repeatTopUps(services: PaymentServices, isDraining: () => boolean): () => Promise<void> {
  let running: Promise<void> | undefined;
  let isStopped = false;
  const goesOn = () => !isStopped && !isDraining();
  const cancel = every(intervalMs, () => {
    if (!goesOn()) return cancel();
    running ??= chargeDueTopUps(services, goesOn).finally(() => {
      running = undefined;
    });
  });
  return async () => {
    isStopped = true;
    cancel();
    await running;
  };
}
