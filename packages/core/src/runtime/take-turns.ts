/** Work in steps, none of which takes long. */
type Work<T> = Generator<undefined, T>;

interface Task {
  /** Does one step; true when the work is over. */
  step(): boolean;
}

const tasks: Task[] = [];

/**
 * Does long work without keeping the event loop from all else: one step a turn of the loop, whosever work it is, so that
 * many such requests at once delay the others no more than one does. Resolves to what the work returns.
 */
export function takeTurns<T>(work: Work<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    tasks.push({ step: () => stepOf(work, resolve, reject) });
    if (tasks.length === 1) setTimeout(nextTurn);
  });
}

function stepOf<T>(work: Work<T>, resolve: (value: T) => void, reject: (error: unknown) => void): boolean {
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
  if (task?.step() === false) tasks.push(task);
  if (tasks.length > 0) setTimeout(nextTurn);
}
