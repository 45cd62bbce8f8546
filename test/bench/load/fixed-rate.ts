import { sleep } from "./closed-loop.ts";
import { Connection } from "./connection.ts";
import { encodeRequest, framesOf, type Target } from "./request.ts";
import { type CpuClock, Window, type WindowResult } from "./window.ts";

/** A load that asks at a steady rate, however long the answers take. */
export interface FixedRate {
  readonly kind: "fixed-rate";
  readonly target: Target;
  readonly reply: string;
  /** Requests a second. */
  readonly rate: number;
  readonly warmUpSeconds: number;
  readonly seconds: number;
}

/** Runs a load at a fixed rate and measures its window. A latency counts from the moment of sending. */
export async function runFixedRate(load: FixedRate, cpu: CpuClock): Promise<WindowResult> {
  const request = encodeRequest(load.target, load.reply);
  const window = new Window(cpu, framesOf(load.reply));
  const free: Connection[] = [];
  const all: Connection[] = [];
  const open = () => {
    const connection = new Connection(load.target.port);
    all.push(connection);
    return connection;
  };
  const ask = () => {
    const connection = free.pop() ?? open();
    connection.send(request, (outcome) => {
      window.add(outcome);
      free.push(connection);
    });
  };
  const timer = every(1000 / load.rate, ask);
  await sleep(load.warmUpSeconds);
  await window.open();
  await sleep(load.seconds);
  const result = await window.close();
  timer.stop();
  for (const each of all) each.close();
  return result;
}

function every(periodMs: number, act: () => void) {
  let due = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const tick = () => {
    while (due <= performance.now()) {
      due += periodMs;
      act();
    }
    timer = setTimeout(tick, due - performance.now());
  };
  tick();
  return { stop: () => clearTimeout(timer) };
}
