import { GatewayError } from "../errors/gateway-error.ts";
import type { Model, ModelTarget } from "../ports/model.ts";
import { asksForNothing } from "../wire/asks-for-nothing.ts";
import type { ChatParameters } from "../wire/chat-completion-request.ts";

/** Returns the targets whose upstreams accept all fields of the request. Throws `unsupported_parameter` if none does. */
export function targetsFor(model: Pick<Model, "targets" | "refuses">, chat: ChatParameters): Model["targets"] {
  const { targets, refuses } = model;
  if (!refuses) return targets;
  const [first, ...others] = targets.filter((target) => refusedField(target, chat) === undefined);
  if (first !== undefined) return [first, ...others];
  const param = refusedField(targets[0], chat) ?? "";
  throw new GatewayError("unsupported_parameter", `\`${param}\` is not supported by this model. Leave it out.`, {
    param,
  });
}

function refusedField({ provider }: ModelTarget, chat: ChatParameters): string | undefined {
  return provider.capabilities.refusedFields?.find(
    (field) => !writtenFields.has(field) && asksForSomething(field, chat[field]),
  );
}

/** Fields that the gateway writes itself for each target. */
const writtenFields: ReadonlySet<string> = new Set(["stream_options", "max_tokens", "max_completion_tokens"]);

function asksForSomething(field: string, value: unknown): boolean {
  if (asksForNothing(field, value)) return false;
  return typeof value === "object" && value !== null ? Object.keys(value).length > 0 : Boolean(value);
}
