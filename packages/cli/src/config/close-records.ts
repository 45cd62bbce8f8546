import { reasonOf } from "../failure.ts";
import type { Records } from "../records.ts";

const timeoutMs = 5_000;

/** Closes what the config file opened. A close that fails or takes more than 5 s is only reported to `warn`. */
export async function closeRecords(records: Records, warn: (problem: string) => Promise<void>): Promise<void> {
  try {
    await withTimeout(Promise.resolve(records.close?.()));
  } catch (error) {
    await warn(
      `The command has ended, but closing the stores failed: ${reasonOf(error)}. Fix \`close\` in the config file.`,
    );
  }
}

function withTimeout(closed: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const timeOut = () => reject(new Error(`it takes longer than ${timeoutMs / 1_000} s`));
    const timer = setTimeout(timeOut, timeoutMs);
    closed.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
