import type { GatewayExtension } from "../edge/extension.ts";
import { readOptions } from "../options/problems.ts";
import type { Mountable } from "../ports/mountable.ts";
import { isJsonObject } from "../wire/json.ts";
import { assembleAssistants } from "./config/assemble-assistants.ts";
import type { AssistantOptions } from "./config/assistant-options.ts";
import { assistantsSchema } from "./config/assistants-schema.ts";
import { checkAssistants } from "./config/check-assistants.ts";
import { type DryRun, type DryRunResult, dryRun } from "./config/dry-run.ts";
import { sessionEndpoints } from "./session-endpoints.ts";
import { turn } from "./turn.ts";

/** What a gateway has in addition when its assistants hold conversations. */
export interface WithAssistants {
  /** The session endpoints, under `/session` of wherever they are mounted; they need no other middleware. */
  readonly sessions: Mountable;
  /**
   * What a trigger would send, and whether its target would be allowed; nothing is sent. Rejects for an unknown
   * assistant, trigger or session.
   */
  dryRun(run: DryRun): Promise<DryRunResult>;
}

/**
 * Assistants, as the option of the same name of `createGateway`. The options are checked and copied here; `createGateway`
 * reports their problems together with its own.
 *
 * @example
 * const gateway = createGateway({ ...options, assistants: assistants({ list, sessions, runner: webhookRunner() }) });
 */
export function assistants(options: AssistantOptions): GatewayExtension<WithAssistants> {
  const reading = readOptions(assistantsSchema, options, "assistants");
  const list: unknown = isJsonObject(options) ? options["list"] : undefined;
  return {
    // The list is checked even when other options are wrong, since each assistant has problems of its own to report.
    problems: (models) => [
      ...("problems" in reading ? reading.problems : []),
      ...(Array.isArray(list) ? checkAssistants(list, models) : []),
    ],
    attach(services, cors) {
      if ("problems" in reading) throw new TypeError(reading.problems.join("\n"));
      const withSessions = assembleAssistants(services, reading.output);
      return {
        sessions: sessionEndpoints(withSessions, {
          basePath: reading.output.basePath ?? "",
          cors,
          turn: (context, id) => turn(withSessions, context, id),
        }),
        dryRun: (run) => dryRun(withSessions, run),
      };
    },
  };
}
