const real = Date.now;

/** The clock of the explored ledgers, in milliseconds since the Unix epoch. */
export const clock = { now: 0 };

/** Sets `Date.now` to the clock. Fake timers would take most of the time of the exploration. */
export function startClock(): void {
  Date.now = () => clock.now;
}

/** Sets `Date.now` to the real one. */
export function stopClock(): void {
  Date.now = real;
}
