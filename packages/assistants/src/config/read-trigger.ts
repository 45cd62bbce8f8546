import { isJsonObject } from "@tollgate/core/extension";
import type { Tool } from "@tollgate/core/provider";
import type { Trigger } from "../definition/assistant.ts";
import type { TriggerConfig } from "../definition/assistant-config.ts";
import { compileWebhook } from "../webhook/compile-webhook.ts";
import { checkArguments } from "./check-arguments.ts";
import { readParameters } from "./parameters.ts";

/** A trigger; or its problems, each with its path in it: "webhook.url, character 9: ...". */
export type TriggerReading = { readonly trigger: Trigger } | { readonly problems: readonly string[] };

type Secrets = Readonly<Record<string, string>>;

const systemVariable = /^(?:(?:session|company|assistant)\.id|images(?:\[\d+\])?)$/;
const signingKey = /^whsec_[A-Za-z0-9+/]+={0,2}$/;

/** Compiles a trigger whose members have been checked by `readConfig`. */
export function readTrigger(config: TriggerConfig, secrets: Secrets): TriggerReading {
  const read = readParameters(config.parameters);
  const properties = "parameters" in read ? read.parameters.properties : namesOf(config.parameters["properties"]);
  const compiled = compileWebhook(config.webhook, { properties, secrets: Object.keys(secrets) });
  const problems = [
    ...("problems" in read ? read.problems.map((problem) => `parameters${problem}`) : []),
    ...properties.flatMap((name) => checkProperty(name, secrets)),
    ...("problems" in compiled ? compiled.problems.map((problem) => `webhook.${problem}`) : []),
    ...checkSigningSecret(config, secrets),
  ];
  if ("problems" in read || "problems" in compiled || problems.length > 0) return { problems };
  const { parameters } = read;
  return {
    trigger: {
      name: config.name,
      tool: toTool(config),
      directive: directiveOf(config),
      properties,
      webhook: compiled.webhook,
      signingSecret: signingSecretOf(config, secrets),
      checkArguments: (text) => checkArguments(parameters, text),
    },
  };
}

const namesOf = (properties: unknown): string[] => (isJsonObject(properties) ? Object.keys(properties) : []);

function checkProperty(name: string, secrets: Secrets): string[] {
  const owner = systemVariable.test(name) ? "the system" : Object.hasOwn(secrets, name) ? "a secret" : undefined;
  if (owner === undefined) return [];
  return [`parameters.properties.${name}: has the name of a variable of ${owner}, which would always win. Rename it.`];
}

function checkSigningSecret(config: TriggerConfig, secrets: Secrets): string[] {
  const name = config.webhook.signingSecret;
  const value = signingSecretOf(config, secrets);
  if (name === undefined || (value !== undefined && signingKey.test(value))) return [];
  return [
    value === undefined
      ? `webhook.signingSecret: names the secret "${name}", which is not among \`secrets\`. Add it there.`
      : `webhook.signingSecret: the secret "${name}" cannot sign. Make it whsec_ followed by base64.`,
  ];
}

function signingSecretOf({ webhook: { signingSecret: name } }: TriggerConfig, secrets: Secrets): string | undefined {
  return name !== undefined && Object.hasOwn(secrets, name) ? secrets[name] : undefined;
}

function directiveOf({ interpretResponse, InterpretResponse, webhook }: TriggerConfig): string | undefined {
  const isIncluded = interpretResponse ?? InterpretResponse ?? true;
  return isIncluded && webhook.responseDirective !== "" ? webhook.responseDirective : undefined;
}

/** Providers reject a tool whose parameters do not declare an object with properties. */
function toTool({ name, description, parameters }: TriggerConfig): Tool {
  return {
    type: "function",
    function: {
      name,
      ...(description === undefined ? {} : { description }),
      parameters: { type: "object", properties: {}, ...parameters },
    },
  };
}
