import { describe, expect, it, vi } from "vitest";
import { form as extent } from "../../faults/form.ts";
import { allPairs } from "../../support/all-pairs.ts";
import { textAnswer } from "../../upstream/model-answer.ts";
import type { Form } from "../scene.ts";
import { canary } from "../script.ts";
import { clients } from "./client.ts";
import { type FaultOutcome, type FaultRow, faultRows, outcomeOf } from "./fault-row.ts";
import { type Fallback, type FaultScene, openFaultScene, pieces, type Way } from "./fault-scene.ts";

interface Cell {
  readonly dialect: keyof typeof clients;
  readonly way: Way;
  readonly fallback: Fallback;
  readonly form: Form;
  readonly row: FaultRow;
}

const dialects = ["messages", "responses"] as const;
const ways = ["native", "translated"] as const;
const fallbacks = ["nothing", "a native target", "a translated target"] as const;
const forms = ["whole", "streamed"] as const;

const cells: readonly Cell[] = dialects.flatMap((dialect) =>
  ways.flatMap((way) =>
    fallbacks.flatMap((fallback) =>
      forms.flatMap((form) => faultRows.map((row) => ({ dialect, way, fallback, form, row }))),
    ),
  ),
);
// In the short form, every fault meets every dialect, way, form and fallback, and each of these meets each other.
const factorsOf = ({ dialect, way, fallback, form, row }: Cell) => [`${dialect} ${way}`, fallback, form, row.name];
const chosen = extent === "long" ? cells : allPairs(cells, factorsOf);

const titled = chosen.map((cell) => {
  const { dialect, way, fallback, form, row } = cell;
  return [`${row.name}: ${dialect}, ${way}, ${form}, with ${fallback} behind it`, cell] as const;
});

describe.concurrent("a fault of a target, as clients of other dialects see it", () => {
  it.each(titled)("%s", { timeout: 30_000 }, async (_title, cell) => {
    const scene = await openFaultScene(cell.dialect, cell.way, cell.fallback);
    try {
      await checkCell(cell, scene);
    } finally {
      await scene.close();
    }
  });
});

async function checkCell({ dialect, way, fallback, form, row }: Cell, scene: FaultScene): Promise<void> {
  const { fault } = row;
  scene.first.reply = () => ({ answer: textAnswer(pieces), fault });
  const response = await fetch(`${scene.url}${clients[dialect].path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${scene.secret}`, "content-type": "application/json" },
    body: JSON.stringify(clients[dialect].body("everyday", form)),
  });
  const text = await response.text();
  const outcome = outcomeOf(fault, form, way === "translated" || dialect === "messages");
  const fallsBack = outcome.kind === "refused" && outcome.fallsBack && fallback !== "nothing";
  checkShown(dialect, form, fallsBack ? { kind: "answers" } : outcome, { response, text }, fallsBack);
  await vi.waitFor(() => expect(scene.under.gateway.inFlight()).toBe(0), { timeout: 10_000 });
  await checkCharge(scene, fallsBack || outcome.kind !== "refused");
  expect(scene.first.requests.length).toBeGreaterThan(0);
  expect(scene.second.requests).toHaveLength(fallsBack ? 1 : 0);
  checkSecrecy(scene, JSON.stringify([...response.headers]) + text);
  await Promise.all(scene.first.requests.map(({ closed }) => closed));
}

function checkShown(
  dialect: keyof typeof clients,
  form: Form,
  outcome: FaultOutcome,
  { response, text }: { readonly response: Response; readonly text: string },
  isSecond: boolean,
): void {
  const client = clients[dialect];
  if (outcome.kind === "refused") {
    const { status, code } = client.error(outcome.status, outcome.code);
    expect(response.status).toBe(status);
    expect(response.headers.get("content-type")).toContain("application/json");
    if (code === "") expect(client.codeOf(JSON.parse(text))).toMatch(/^upstream_(failed|invalid_response)$/);
    else expect(client.codeOf(JSON.parse(text))).toBe(code);
    return;
  }
  expect(response.status).toBe(200);
  const whole = isSecond ? "From elsewhere" : pieces.join("");
  if (form === "whole") {
    expect(client.textOf(JSON.parse(text))).toBe(whole);
    return;
  }
  expect(client.check(text)).toBe(outcome.kind === "answers" ? "complete" : "error");
  const streamed = client.streamedText(text);
  if (outcome.kind === "answers") expect(streamed).toBe(whole);
  else expect([whole, pieces[0]]).toContain(streamed);
}

/** An answer that began is charged, at most what was held. A refused request costs nothing. */
async function checkCharge({ under }: FaultScene, isCharged: boolean): Promise<void> {
  const { posted, held } = await under.balances.balance("acme");
  const charged = 1_000_000_000n - posted;
  expect(held).toBe(0n);
  if (!isCharged) expect(charged).toBe(0n);
  else expect(charged > 0n && charged <= 24_000_000n + 7_000_000n).toBe(true);
  expect(await under.balances.verify()).toEqual([]);
}

function checkSecrecy({ first, second, secret }: FaultScene, shown: string): void {
  const secrets = [canary.key, canary.model, "gpu-7", "127.0.0.1", "provider-", `:${first.port}`, `:${second.port}`];
  for (const each of secrets) expect(shown).not.toContain(each);
  for (const { headers, text } of [...first.requests, ...second.requests]) {
    expect(JSON.stringify(headers) + text).not.toContain(secret);
  }
}
