import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import type { Figures, Scene, Seen } from "./scene.ts";

/** A fault that can be started and ended. */
export interface Fault {
  begin(): void | Promise<void>;
  /** Resolves when the affected calls have ended. */
  lift(): void | Promise<void>;
}

/** What clients see during a fault: their requests are refused with 503, served normally, or either. */
export type Expected = "refused" | "served" | "either";

/**
 * Runs one cell: streams that begin before the fault, a small mixed load during it, and after it a check that nothing
 * was lost, charged twice or left held.
 */
export async function runCell(scene: Scene, fault: Fault, expected: Expected): Promise<Figures> {
  const { provider } = scene;
  const [{ secret: early }, { secret: fresh }] = await scene.open();
  const ends = [await scene.begin(early, "wait for early"), await scene.begin(early, "wait for late")];
  // Time for a heartbeat, so that an expiry charges a use.
  await pause(scene.times.leaseMs / 4);
  // Longer than a lease, so that holds that cannot be renewed expire.
  const liftAt = Date.now() + 1.5 * scene.times.leaseMs;
  await fault.begin();
  const before = scene.tested.provider.calls.length;
  await expectSeen(scene, fresh, expected);
  if (expected === "refused") expect(scene.tested.provider.calls.length, "calls of the provider").toBe(before);
  provider.release.early();
  await expectWhole(ends[0]?.end);
  await pause(liftAt - Date.now());
  const lifted = fault.lift();
  await eventually(async () => expect((await scene.ask(fresh, "answer")).status).toBe(200));
  provider.release.late();
  await expectWhole(ends[1]?.end);
  await lifted;
  await eventually(() => scene.expectRest());
  await scene.tested.gateway.drain({ timeoutMs: 0 });
  scene.expectNoSecrets();
  return scene.figures();
}

async function expectSeen(scene: Scene, key: string, expected: Expected): Promise<void> {
  const [answer, stream, failed, left] = await Promise.all([
    scene.ask(key, "answer"),
    scene.stream(key, "answer"),
    scene.ask(key, "fail"),
    scene.leaveStream(key),
    scene.leaveAnswer(key),
  ]);
  const statuses = (served: number) => ({ served: [served], refused: [503], either: [served, 503] })[expected];
  expect(statuses(200)).toContain(answer.status);
  expect(statuses(200)).toContain(stream.status);
  expect(statuses(502)).toContain(failed.status);
  expect(statuses(200)).toContain(left);
  for (const { status, text, retryAfter } of [answer, stream, failed]) {
    if (status !== 503) continue;
    expect(text).toContain("store_unavailable");
    expect(Number(retryAfter)).toBeGreaterThanOrEqual(1);
  }
}

async function expectWhole(end: Promise<Seen> | undefined): Promise<void> {
  expect((await end)?.text).toMatch(/\[DONE\]$/);
}

/** Repeats the check until it passes, for at most 10 s, and then throws its last error. */
export async function eventually(check: () => Promise<void>): Promise<void> {
  const endsAt = Date.now() + 10_000;
  for (;;) {
    try {
      return await check();
    } catch (failure) {
      if (Date.now() > endsAt) throw failure;
      await pause(50);
    }
  }
}
