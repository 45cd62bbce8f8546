import type { Renewal } from "@tollgate/core/store";
import type { LedgerMoment, RecordedLedgerCall } from "./calls.ts";
import type { Violation } from "./violation.ts";

/** One way to end a hold: settled at an amount, or released, which is undefined. */
export type End = bigint | undefined;

/** What the workers know of one hold, gathered from their journals moment by moment. */
export class HoldHistory {
  readonly violations: Violation[] = [];
  /** What it was made for; 0 until a call to make it began. */
  amount = 0n;
  /** The last answer to a call that was to make it. */
  made: "held" | "refused" | "unknown" = "unknown";
  /** The end that the store acknowledged, and when. */
  ended: { readonly by: End; readonly at: number } | undefined;
  /** Every cost so far that was sent with a renewal, and the greatest that was acknowledged. */
  readonly usedSent: bigint[] = [0n];
  usedAcknowledged = 0n;
  readonly #begun: End[] = [];
  readonly #refuted: End[] = [];
  #leaseEndsAt: number | undefined;
  #tookEffect = false;

  constructor(
    readonly id: string,
    private readonly leaseMs: number,
  ) {}

  /** The ends that were asked for and may have taken effect. */
  get possibleEnds(): readonly End[] {
    return this.#begun.filter((end) => !this.#refuted.includes(end));
  }

  take({ happened, recorded }: LedgerMoment): void {
    const { verb } = recorded.call;
    if (happened === "begun") this.#begin(recorded);
    else if (verb === "hold") this.#answerHold(recorded);
    else if (verb === "renew") this.#answerRenewal(recorded);
    else if (verb === "settle" || verb === "release") this.#answerEnd(recorded);
  }

  #begin({ call, begunAt }: RecordedLedgerCall): void {
    if (call.verb === "settle" || call.verb === "release") this.#begun.push(endOf(call));
    if (call.verb === "renew") this.usedSent.push(this.#usedIn(call.renewals));
    if (call.verb !== "hold") return;
    this.amount = call.amount;
    // The lease is not content: a repeated call does not move it.
    this.#leaseEndsAt ??= begunAt + this.leaseMs;
  }

  #answerHold({ answer }: RecordedLedgerCall): void {
    const outcome = answer?.outcome;
    if (outcome === "held") this.made = "held";
    else if (outcome === "insufficient") {
      if (this.made === "held") this.#accuse("lost", "was granted before it was refused");
      this.made = "refused";
    } else if (outcome !== undefined) this.#accuse("wrong", `was answered with "${outcome}"`);
  }

  #answerRenewal({ call, answer, begunAt, answeredAt = 0 }: RecordedLedgerCall): void {
    if (call.verb !== "renew" || answer?.renewed === undefined) return;
    if (answer.renewed.includes(this.id)) {
      if (this.ended !== undefined && this.ended.at < begunAt) this.#accuse("wrong", "was renewed after its end");
      this.#leaseEndsAt = Math.max(this.#leaseEndsAt ?? 0, begunAt + this.leaseMs);
      const used = this.#usedIn(call.renewals);
      if (used > this.usedAcknowledged) this.usedAcknowledged = used;
    } else if (this.made === "held" && this.#begun.length === 0 && !this.#leaseIsOver(answeredAt)) {
      this.#accuse("neglected", "was not renewed though it was pending");
    }
  }

  #answerEnd({ call, answer, answeredAt = 0 }: RecordedLedgerCall): void {
    if (call.verb !== "settle" && call.verb !== "release") return;
    const end = endOf(call);
    const name = end === undefined ? "release" : `settlement at ${end}`;
    const outcome = answer?.outcome;
    if (outcome === "ended" || outcome === "late") {
      if (this.#tookEffect) this.#accuse("double", `was ended twice, the second time by the ${name}`);
      if (outcome === "late" && !this.#leaseIsOver(answeredAt))
        this.#accuse("neglected", "expired though its lease still ran");
      this.#tookEffect = true;
      this.#endBy(end, name, answeredAt);
    } else if (outcome === "repeated") {
      this.#endBy(end, name, answeredAt);
    } else if (outcome === "conflict") {
      const otherwise = this.possibleEnds.some((possible) => possible !== end);
      const expired = end === undefined && this.#leaseIsOver(answeredAt);
      if (!otherwise && !expired) this.#accuse("wrong", `refused its only end, the ${name}`);
      if (this.ended !== undefined && this.ended.by === end)
        this.#accuse("lost", `was ended by the ${name}, and refused it later`);
      this.#refuted.push(end);
    } else if (outcome === "unknown") {
      if (this.made === "held") this.#accuse("lost", `was lost: its ${name} did not find it`);
      this.#refuted.push(end);
    }
  }

  #endBy(end: End, name: string, at: number): void {
    if (this.ended !== undefined && this.ended.by !== end) this.#accuse("double", `took the ${name} after another end`);
    this.ended ??= { by: end, at };
  }

  #leaseIsOver(at: number): boolean {
    return at >= (this.#leaseEndsAt ?? 0);
  }

  #usedIn(renewals: readonly Renewal[]): bigint {
    return renewals.find(({ id }) => id === this.id)?.used ?? 0n;
  }

  #accuse(kind: Violation["kind"], problem: string): void {
    this.violations.push({ kind, problem: `Hold ${this.id} ${problem}.` });
  }
}

function endOf(call: { readonly verb: "settle"; readonly amount: bigint } | { readonly verb: "release" }): End {
  return call.verb === "settle" ? call.amount : undefined;
}
