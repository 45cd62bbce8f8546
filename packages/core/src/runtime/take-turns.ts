import type { Awaitable } from "./awaitable.ts";

/** Each runs one step of its work, and returns true when the work is done. */
const tasks: (() => boolean)[] = [];

/**
 * Runs long work without blocking the event loop: one step per turn of the loop for all tasks together, so that many of
 * them delay other requests no more than one. Resolves to what the work returns.
 */
export function takeTurns<T>(work: Generator<undefined, T>): Promise<T> {
  return new Promise((resolve, reject) => {
    tasks.push(() => stepOf(work, resolve, reject));
    if (tasks.length === 1) setTimeout(nextTurn);
  });
}

/** Runs the first step of work at once, and the others, if there are any, in turns. */
export function startNow<T>(work: Generator<undefined, T>): Awaitable<T> {
  const { done, value } = work.next();
  return done === true ? value : takeTurns(work);
}

function stepOf<T>(
  work: Generator<undefined, T>,
  resolve: (value: T) => void,
  reject: (error: unknown) => void,
): boolean {
  try {
    const { done, value } = work.next();
    if (done === true) resolve(value);
    return done === true;
  } catch (error) {
    reject(error);
    return true;
  }
}

function nextTurn(): void {
  const task = tasks.shift();
  if (task?.() === false) tasks.push(task);
  // If what follows a task takes long, Node runs a timeout that was set before in the same turn, but not one set by it.
  if (tasks.length > 0) setTimeout(() => setTimeout(nextTurn));
}
