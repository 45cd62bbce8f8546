import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import { closedGate, type Gate } from "../../support/gate.ts";
import { json, type WebhookTarget } from "../../support/webhook-target.ts";
import type { Fault } from "./cell.ts";
import type { Seen, Times } from "./scene.ts";
import { isServed, type SessionScene } from "./session-scene.ts";

/** The requests of clients during a fault. */
export type Ask = "turn" | "stream" | "create" | "find" | "merge" | "messages" | "logs" | "delete";

/**
 * Gates of the turns whose webhook waits, by marker: `reached` opens when it is called, and it continues when
 * `released` opens.
 */
const waiting = new Map<string, { readonly reached: Gate; readonly released: Gate }>();

/** Makes a target respond with client data, for some turns only after their release. */
export function answerNotes(target: WebhookTarget): void {
  target.answer = async ({ url }, res) => {
    const marker = url.slice(url.lastIndexOf("/") + 1);
    waiting.get(marker)?.reached.open();
    await waiting.get(marker)?.released.opened;
    json(res, 200, { session: { client_data: { last: marker } } });
  };
}

/**
 * Runs one cell: a turn that begins before the fault, requests of every kind during it, and after it a check that
 * sessions are unlocked, complete and paid for. The requests in `refused` get 503, the others succeed.
 */
export async function runSessionCell(scene: SessionScene, fault: Fault, times: Times, refused: readonly Ask[]) {
  const [early = "", turned = "", streamed = "", deleted = ""] = await scene.open(4);
  const marker = crypto.randomUUID();
  const [reached, released] = [closedGate(), closedGate()];
  waiting.set(marker, { reached, released });
  const earlyEnd = scene.say(early, marker, false);
  await reached.opened;
  await fault.begin();
  // Longer than a lease, so that a lease that cannot be renewed expires.
  void pause(1.5 * times.leaseMs).then(released.open);
  const asks: Record<Ask, Promise<Seen>> = {
    turn: scene.say(turned, crypto.randomUUID(), false),
    stream: scene.say(streamed, crypto.randomUUID(), true),
    create: scene.ask("POST", "", { assistant_id: "note-keeper" }),
    find: scene.ask("GET", `/${early}`),
    merge: scene.ask("PUT", `/${early}`, { client_data: { name: "Ann" } }),
    messages: scene.ask("GET", `/${early}/messages`),
    logs: scene.ask("GET", `/${early}/logs`),
    delete: scene.ask("DELETE", `/${deleted}`),
  };
  const names = Object.keys(asks).filter((name): name is Ask => name in asks);
  for (const name of names) expectSeen(name, await asks[name], refused.includes(name));
  const mayFail = refused.includes("turn") || refused.includes("merge");
  if (!mayFail) expectSeen("turn", await earlyEnd, false);
  await earlyEnd;
  await fault.lift();
  await scene.expectRest([early, turned, streamed]);
  const kept = scene.provider.calls.length;
  return { "calls of the model": kept, refusals: names.filter((name) => refused.includes(name)).length };
}

function expectSeen(name: Ask, seen: Seen, refused: boolean): void {
  expect(isServed(seen), `${name}: ${seen.status} ${seen.text}`).toBe(!refused);
  if (!refused) return;
  expect(seen.text).toContain("store_unavailable");
  if (seen.status !== 200) expect([seen.status, Number(seen.retryAfter)]).toEqual([503, 1]);
}
