import type { Command } from "commander";
import { example, type Run } from "../command.ts";
import { addCreateKey } from "./create-key.ts";
import { addListKeys } from "./list-keys.ts";
import { addRevokeKey } from "./revoke-key.ts";
import { addRotateKey } from "./rotate-key.ts";
import { addUpdateKey } from "./update-key.ts";

/** Adds `keys` and its subcommands. */
export function addKeysCommands(program: Command, run: Run): void {
  const keys = program
    .command("keys")
    .description("Create, list, change, rotate and revoke keys.")
    .addHelpText("after", example("keys create --account acme --plan prepaid"));
  addCreateKey(keys, run);
  addListKeys(keys, run);
  addUpdateKey(keys, run);
  addRevokeKey(keys, run);
  addRotateKey(keys, run);
}
