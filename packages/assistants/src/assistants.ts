import type { GatewayExtension } from "../edge/extension.ts";
import { readOptions } from "../options/problems.ts";
import type { Mountable } from "../ports/mountable.ts";
import { isJsonObject } from "../wire/json.ts";
import { assembleAssistants } from "./config/assemble-assistants.ts";
import type { AssistantOptions } from "./config/assistant-options.ts";
import { assistantsSchema } from "./config/assistants-schema.ts";
import { checkAssistants } from "./config/check-assistants.ts";
import { type DryRun, type DryRunResult, dryRun } from "./config/dry-run.ts";
import type { AssistantDescription } from "./definition/assistant-description.ts";
import { sessionEndpoints } from "./session-endpoints.ts";
import { runTurn } from "./turn.ts";

/** What the `assistants` extension adds to a gateway. */
export interface WithAssistants {
  /** The session endpoints, at `/session` below the mount point. They need no other middleware. */
  readonly sessions: Mountable;
  /**
   * Renders the webhook of a trigger and checks whether its target is allowed, without sending it. Rejects for an
   * unknown assistant, trigger or session.
   */
  dryRun(run: DryRun): Promise<DryRunResult>;
  /** Returns the configured assistants with their triggers, without secrets. */
  describeAssistants(): readonly AssistantDescription[];
}

/**
 * Adds assistants to a gateway: the value of the option `assistants` of `createGateway`. The options are copied and
 * checked here. `createGateway` reports their problems together with its own.
 *
 * @example
 * const gateway = createGateway({ ...options, extensions: [assistants({ list, sessions, runner: webhookRunner() })] });
 */
export function assistants(options: AssistantOptions): GatewayExtension<WithAssistants> {
  const reading = readOptions(assistantsSchema, options, "assistants");
  const list: unknown = isJsonObject(options) ? options["list"] : undefined;
  return {
    // Checks the list even if other options are invalid, so that one error lists all problems.
    problems: (models) => [
      ...("problems" in reading ? reading.problems : []),
      ...(Array.isArray(list) ? checkAssistants(list, models) : []),
    ],
    attach(services, cors) {
      if ("problems" in reading) throw new TypeError(reading.problems.join("\n"));
      const assistantServices = assembleAssistants(services, reading.output);
      return {
        sessions: sessionEndpoints(assistantServices, {
          basePath: reading.output.basePath ?? "",
          cors,
          openapi: reading.output.openapi,
          runTurn,
        }),
        dryRun: (run) => dryRun(assistantServices, run),
        describeAssistants: () =>
          [...assistantServices.assistants.current().values()].map(({ description }) => structuredClone(description)),
      };
    },
  };
}
