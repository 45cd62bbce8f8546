import { parseAmount } from "@tollgate/core";
import { gateway } from "../../shop/src/gateway.ts";

/** Makes an image for 0.04 of the balance of an account. If that fails, it costs nothing. */
export async function sellImage(account: string, makeImage: () => Promise<Uint8Array>): Promise<Uint8Array> {
  const description = "An image of 1024 by 1024 pixels";
  const hold = await gateway.charges.hold({ account, amount: "0.04", description, metadata: { size: "1024x1024" } });
  try {
    const image = await makeImage();
    await hold.settle(hold.amount);
    return image;
  } finally {
    // After `settle`, this has no effect.
    await hold.release();
  }
}

const pricePerMinute = parseAmount("0.006");

interface Recording {
  readonly account: string;
  readonly minutes: number;
}

/** Transcribes a recording for 0.006 a minute. The minutes that were done are charged, also if it fails or the process dies. */
export async function transcribe(
  { account, minutes }: Recording,
  transcribeMinute: (minute: number) => Promise<void>,
): Promise<void> {
  const amount = pricePerMinute * BigInt(minutes);
  const hold = await gateway.charges.hold({ account, amount, description: `A transcription of ${minutes} minutes` });
  let used = 0n;
  try {
    for (let minute = 1; minute <= minutes; minute++) {
      await transcribeMinute(minute);
      used += pricePerMinute;
      await hold.extend({ used });
    }
  } finally {
    await hold.settle(used);
  }
}
