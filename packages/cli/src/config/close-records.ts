import { reasonOf } from "../failure.ts";
import type { Records } from "../records.ts";

const longestMs = 5_000;

/** Closes what the config file opened; a close that fails or takes over 5 s is told to `warn`, and changes nothing else. */
export async function closeRecords(records: Records, warn: (problem: string) => Promise<void>): Promise<void> {
  try {
    await inTime(Promise.resolve(records.close?.()));
  } catch (fault) {
    await warn(
      `The command has ended, but closing the stores failed: ${reasonOf(fault)}. Correct \`close\` in the config file.`,
    );
  }
}

function inTime(closed: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`it takes longer than ${longestMs / 1_000} s`));
    const timer = setTimeout(late, longestMs);
    closed.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
