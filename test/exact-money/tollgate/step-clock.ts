let offsetMs = 0;
const realNow = Date.now;
const now = (): number => realNow() + offsetMs;

/** Moves the clock of this process, as when the time of its machine is set. Timers go on as before. */
export function stepClock(milliseconds: number): void {
  if (offsetMs === 0) replaceDate();
  offsetMs += milliseconds;
}

let isReplaced = false;

function replaceDate(): void {
  if (isReplaced) return;
  isReplaced = true;
  globalThis.Date = new Proxy(Date, {
    construct: (date, args, target) => Reflect.construct(date, args.length === 0 ? [now()] : args, target),
    get: (date, member, receiver) => (member === "now" ? now : Reflect.get(date, member, receiver)),
  });
}
