import { endOfGrace } from "@tollgate/core/store";
import type { Command } from "commander";
import { example, type Run } from "../command.ts";
import { readKeyId } from "../input/key-id.ts";
import { readDuration } from "../input/times.ts";
import { noSuchKey } from "./no-such-key.ts";
import { showNewKey } from "./show-new-key.ts";

interface Options {
  readonly grace: number;
}

/** Adds `keys rotate`. */
export function addRotateKey(keys: Command, run: Run): void {
  keys
    .command("rotate")
    .description("Create a key with the same permissions and show it once. The old key expires after the grace period.")
    .argument("<id>", "the id of the key to replace, as in `keys list`", readKeyId)
    .requiredOption(
      "--grace <duration>",
      "how long the old key stays valid: 30m, 24h, 7d, or 0",
      readDuration("--grace"),
    )
    .addHelpText("after", example("keys rotate 6e0ab2f4-3f0c-4a61-9d5e-0c1b8d1f2a37 --grace 24h"))
    .action((id: string, { grace }: Options) =>
      run(async (session) => {
        const issued = await session.call(() => session.keys.rotate(id, { graceMs: grace }));
        if (issued === undefined) throw noSuchKey(id, ", or it has ended and cannot be rotated");
        // The new key has the expiry of the old one, so this calculates the end of the old key's grace period.
        const previousEndsAt = endOfGrace(issued.key, grace);
        const note = `\nThe old key expires at ${previousEndsAt.toISOString()}.\n`;
        await showNewKey(session, issued, { previousEndsAt }, note);
      }),
    );
}
