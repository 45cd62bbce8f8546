import { type LimitsMoment, leaseMs } from "./calls.ts";

/** A granted reservation as its worker recorded it. Times are local, in milliseconds since the Unix epoch. */
export interface Use {
  readonly subject: string;
  readonly amount: number;
  readonly askedAt: number;
  readonly grantedAt: number;
  /** The first settlement that began. */
  settled?: { readonly at: number; readonly used: number };
  /** The earliest end of the lease. */
  leaseEndsAt: number;
}

/** Collects every reservation whose grant a worker has recorded. */
export function usesIn(moments: readonly LimitsMoment[]): readonly Use[] {
  const uses = new Map<string, Use>();
  for (const { happened, recorded } of moments) {
    const { call, answer, begunAt, answeredAt = 0 } = recorded;
    if (call.verb === "reserve" && happened === "answered" && answer?.granted === true) {
      const { subject, amount } = call;
      const times = { askedAt: begunAt, grantedAt: answeredAt, leaseEndsAt: begunAt + leaseMs };
      uses.set(call.id, { subject, amount, ...times });
    }
    if (call.verb === "settle" && happened === "begun") {
      const use = uses.get(call.id);
      if (use !== undefined) use.settled ??= { at: begunAt, used: call.used };
    }
    if (call.verb !== "renew" || happened === "begun" || answer?.error !== undefined) continue;
    for (const id of call.ids) {
      const use = uses.get(id);
      // A place whose lease has expired may already have been granted to another reservation.
      if (use !== undefined && answeredAt < use.leaseEndsAt) use.leaseEndsAt = begunAt + leaseMs;
    }
  }
  return [...uses.values()];
}
