import { endOfGrace, keyState } from "@tollgate/core/store";
import { rotateKey } from "@tollgate/management/internal";
import type { Command } from "commander";
import { example, type Run } from "../command.ts";
import { type ActorOption, addActorOption } from "../input/actor.ts";
import { readKeyId } from "../input/key-id.ts";
import { readDuration } from "../input/times.ts";
import { noSuchKey } from "./no-such-key.ts";
import { showNewKey } from "./show-new-key.ts";

interface Options extends ActorOption {
  readonly grace: number;
}

/** Adds `keys rotate`. */
export function addRotateKey(keys: Command, run: Run): void {
  const rotate = keys
    .command("rotate")
    .description("Create a key with the same permissions and show it once. The old key expires after the grace period.")
    .argument("<id>", "the id of the key to replace, as in `keys list`", readKeyId)
    .requiredOption(
      "--grace <duration>",
      "how long the old key stays valid: 30m, 24h, 7d, or 0",
      readDuration("--grace"),
    );
  addActorOption(rotate)
    .addHelpText("after", example("keys rotate 6e0ab2f4-3f0c-4a61-9d5e-0c1b8d1f2a37 --grace 24h"))
    .action((id: string, { grace, actor }: Options) =>
      run(async (session) => {
        const ended = () => noSuchKey(id, ", or it has ended and cannot be rotated");
        const key = await session.call(() => session.keys.get(id));
        if (key === undefined || keyState(key) !== "active") throw ended();
        const issued = await rotateKey(session.administrator(actor), session.keys, key, grace, ended);
        // The new key has the expiry of the old one, so this calculates the end of the old key's grace period.
        const previousEndsAt = endOfGrace(issued.key, grace);
        const note = `\nThe old key expires at ${previousEndsAt.toISOString()}.\n`;
        await showNewKey(session, issued, { previousEndsAt }, note);
      }),
    );
}
