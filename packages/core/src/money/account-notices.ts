const day = 86_400_000;

/** How long after a claim of notices those of money and freezes are written, in milliseconds. */
export const outboxReadMs: number = 3 * day;

/** After how long a claim is written to the state of an outbox again, in milliseconds. */
export const outboxLagMs: number = 3_600_000;

/** The time before a lot expires at which its notice is written, in milliseconds. */
export const expiryNoticeMs: number = 7 * day;

/** Matches the lots of allowances whose window is no longer than the time of a notice, which are not noticed. */
export const unnoticedLot = /^allowance:(?:day|week):/;
