import type { GatewayExtension, Mountable } from "@tollgate/core";
import { type AssistantAdmin, isJsonObject, readOptions } from "@tollgate/core/extension";
import { assembleAssistants } from "./config/assemble-assistants.ts";
import type { AssistantOptions } from "./config/assistant-options.ts";
import { assistantsSchema } from "./config/assistants-schema.ts";
import { checkAssistants } from "./config/check-assistants.ts";
import { dryRun } from "./config/dry-run.ts";
import { sessionEndpoints } from "./session-endpoints.ts";

/** What the `assistants` extension adds to a gateway. */
export interface WithAssistants extends AssistantAdmin {
  /** The session endpoints, at `/session` below the mount point. They need no other middleware. */
  readonly sessions: Mountable;
}

/**
 * Adds assistants to a gateway: an element of the option `extensions` of `createGateway`. The options are copied and
 * checked here. `createGateway` reports their problems together with its own.
 *
 * @example
 * const gateway = createGateway({ ...options, extensions: [assistants({ list, sessions, runner: webhookRunner() })] });
 */
export function assistants(options: AssistantOptions): GatewayExtension<WithAssistants> {
  const reading = readOptions(assistantsSchema, options, "assistants");
  const list: unknown = isJsonObject(options) ? options["list"] : undefined;
  return {
    origins: [],
    // Checks the list even if other options are invalid, so that one error lists all problems.
    problems: (models) => [
      ...("problems" in reading ? reading.problems : []),
      ...(Array.isArray(list) ? checkAssistants(list, models) : []),
    ],
    attach(host) {
      if ("problems" in reading) throw new TypeError(reading.problems.join("\n"));
      const services = assembleAssistants(host, reading.output);
      return {
        sessions: sessionEndpoints(services, reading.output),
        dryRun: (run) => dryRun(services, run),
        describeAssistants: () =>
          [...services.assistants.current().values()].map(({ description }) => structuredClone(description)),
      };
    },
  };
}
