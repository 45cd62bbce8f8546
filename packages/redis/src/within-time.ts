/** What a promise gives, or an error when it takes longer. What it gives later is dropped, whatever it is. */
export function withinTime<T>(milliseconds: number, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`no answer within ${milliseconds} ms`));
    // An event loop that was held up runs its timers first: an answer that has arrived meanwhile is read before it is late.
    const timer = setTimeout(() => setImmediate(late), milliseconds);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
