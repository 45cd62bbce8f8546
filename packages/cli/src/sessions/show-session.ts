import { writeExactJson } from "@tollgate/core/store";
import type { Command } from "commander";
import { example, type Run } from "../command.ts";
import { readText } from "../input/text.ts";
import { renderFields } from "../output/table.ts";
import { findSession } from "./find-session.ts";
import { toSessionShape } from "./session-shape.ts";

/** Adds `sessions show`. */
export function addShowSession(sessions: Command, run: Run): void {
  sessions
    .command("show")
    .description("Show a session with its client data.")
    .argument("<id>", "the id of the session, as in `sessions list`", readText("The id"))
    .addHelpText("after", example("sessions show 0b7c6f1e-52f3-4a8e-9d0e-5f1c2a3b4d5e"))
    .action((id: string) =>
      run(async (session) => {
        const found = await findSession(session, id);
        const shape = { ...toSessionShape(found), expiresAt: found.expiresAt.toISOString(), turns: found.turns };
        await session.show(shape, () =>
          renderFields([
            ["id", shape.id],
            ["account", shape.account],
            ["assistant", shape.assistantId],
            ["created", shape.createdAt],
            ["updated", shape.updatedAt],
            ["expires", shape.expiresAt],
            ["turns", String(shape.turns)],
            ["client data", writeExactJson(shape.clientData)],
          ]),
        );
      }),
    );
}
