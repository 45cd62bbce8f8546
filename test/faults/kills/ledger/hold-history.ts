import type { Renewal } from "@tollgate/core/store";
import type { LedgerMoment, RecordedLedgerCall } from "./calls.ts";
import type { Violation } from "./violation.ts";

/** The end of a hold: the amount of a settlement, or undefined for a release. */
export type End = bigint | undefined;

/** The history of one hold, collected from the journals of the workers in order. */
export class HoldHistory {
  readonly violations: Violation[] = [];
  /** The account of the hold; empty until a hold call began. */
  account = "";
  /** The amount of the hold; 0 until a hold call began. */
  amount = 0n;
  /** The last result of a hold call. */
  made: "held" | "refused" | "unknown" = "unknown";
  /** The acknowledged end and its time. */
  ended: { readonly by: End; readonly at: number } | undefined;
  /** Every use that was sent with a renewal, and the largest that was acknowledged. */
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

  /** The requested ends that may have taken effect. */
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
    this.account = call.account;
    this.amount = call.amount;
    // A repeated hold does not extend the lease.
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
