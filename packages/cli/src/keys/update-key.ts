import { updateKey } from "@tollgate/management/internal";
import type { Command } from "commander";
import { example, type Run } from "../command.ts";
import { Failure } from "../failure.ts";
import { type ActorOption, addActorOption } from "../input/actor.ts";
import { readKeyId } from "../input/key-id.ts";
import type { Reader } from "../input/text.ts";
import { renderFields } from "../output/table.ts";
import { keyFields, toKeyShape } from "./key-shape.ts";
import { addMemberOptions, type MemberOptions, toChanges } from "./member-options.ts";
import { noSuchKey } from "./no-such-key.ts";

/** Adds `keys update`. */
export function addUpdateKey(keys: Command, run: Run): void {
  const update = keys
    .command("update")
    .description('Change members of a key. The value "none" removes one. Members that are not named stay as they are.')
    .argument("<id>", "the id of the key, as in `keys list`", readKeyId);
  addActorOption(
    addMemberOptions(update, orNone).option("--no-log-content", "do not store the content of its requests"),
  )
    .addHelpText(
      "after",
      example(
        "keys update 6e0ab2f4-3f0c-4a61-9d5e-0c1b8d1f2a37 --spend 50 --spend-window month",
        "keys update 6e0ab2f4-3f0c-4a61-9d5e-0c1b8d1f2a37 --requests none --tag team-a",
      ),
    )
    .action((id: string, { actor, ...options }: MemberOptions & ActorOption) => {
      if (Object.keys(options).length === 0) throw nothingToChange;
      return run(async (session) => {
        const before = await session.call(() => session.keys.get(id));
        const key =
          before && (await updateKey(session.administrator(actor), session.keys, before, toChanges(options, before)));
        if (key === undefined) throw noSuchKey(id);
        await session.show({ key: toKeyShape(key) }, () => `The key is changed.\n\n${renderFields(keyFields(key))}`);
      });
    });
}

const orNone =
  <Value>(reader: Reader<Value>): Reader<Value | false> =>
  (text) =>
    text === "none" ? false : reader(text);

const nothingToChange = new Failure("usage", "There is nothing to change. Pass an option, such as --name <name>.");
