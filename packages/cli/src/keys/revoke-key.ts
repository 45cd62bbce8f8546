import { revokeKey } from "@tollgate/management/internal";
import type { Command } from "commander";
import { example, type Run } from "../command.ts";
import { type ActorOption, addActorOption } from "../input/actor.ts";
import { readKeyId } from "../input/key-id.ts";
import { renderFields } from "../output/table.ts";
import { keyFields, toKeyShape } from "./key-shape.ts";
import { noSuchKey } from "./no-such-key.ts";

/** Adds `keys revoke`. */
export function addRevokeKey(keys: Command, run: Run): void {
  const revoke = keys
    .command("revoke")
    .description("Revoke a key immediately. Gateways in other processes may accept it for up to 30 s.")
    .argument("<id>", "the id of the key, as in `keys list`", readKeyId);
  addActorOption(revoke)
    .addHelpText("after", example("keys revoke 6e0ab2f4-3f0c-4a61-9d5e-0c1b8d1f2a37"))
    .action((id: string, { actor }: ActorOption) =>
      run(async (session) => {
        const before = await session.call(() => session.keys.get(id));
        const key = before && (await revokeKey(session.administrator(actor), session.keys, before));
        if (key === undefined) throw noSuchKey(id);
        await session.show({ key: toKeyShape(key) }, () => `The key is revoked.\n\n${renderFields(keyFields(key))}`);
      }),
    );
}
