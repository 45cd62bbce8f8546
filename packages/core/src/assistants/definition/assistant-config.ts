import type { WebhookMethod } from "../../ports/webhook-runner.ts";
import type { Json } from "../../wire/json.ts";

/**
 * An HTTP request that a trigger makes. Variables (`$name`, `${name}`; `$$` is a dollar) stand in the url behind its
 * host, in header values, and in the strings of the body; never in the method, header names, JSON keys or the directive.
 */
export interface WebhookConfig {
  /** Always `WEBHOOK`. */
  readonly type: "WEBHOOK";
  /** Absolute. Variables in its path and query are percent-encoded. */
  readonly url: string;
  /** GET, POST, PUT or DELETE. */
  readonly method: WebhookMethod;
  /** Names and values, sent in this order; variables in values stand as they are. */
  readonly headers?: readonly { readonly key: string; readonly value: string }[];
  /** An object, or text that is JSON once its variables are in it: `{"urls": $images}`. A GET sends none. */
  readonly body?: { readonly [key: string]: Json } | string;
  /** What the model is to do with the answer of a call that succeeded. */
  readonly responseDirective?: string;
  /**
   * What a string of an object body becomes that is one variable and nothing else: its value when that is an `array`
   * (the default), its value of any type (`json`), or always a string (`string`).
   */
  readonly valueType?: "array" | "json" | "string";
  /** Allows variables in the host: the finished host, with its port when it has one, must be one of these. */
  readonly hostVariables?: readonly string[];
  /** The name of the secret, a `whsec_` one, with which calls are signed by the Standard Webhooks scheme. */
  readonly signingSecret?: string;
}

/** Something that the model can have done; it becomes a tool of that name. */
export interface TriggerConfig<Name extends string = string> {
  /** 1 to 64 letters, digits, `_` and `-`; the model sees it. */
  readonly name: Name;
  /** What it does and when to use it, for the model. */
  readonly description?: string;
  /** JSON Schema (2020-12 or draft-07) of an object; its properties are the variables that the model gives. */
  readonly parameters: { readonly [key: string]: Json };
  /** False: the model gets no directive with the answer; true when absent. */
  readonly interpretResponse?: boolean;
  /** The same, as the source of some configurations spells it. */
  readonly InterpretResponse?: boolean;
  /** The request that is made when the model calls the trigger. */
  readonly webhook: WebhookConfig;
}

/** Parameters of the model's calls, as POST /chat/completions takes them; what is absent is left to the model. */
export interface AssistantSettings {
  /** 0 to 2. */
  readonly temperature?: number;
  /** The most tokens of one call of the model, of which a turn may make several. */
  readonly max_completion_tokens?: number;
  /** One of the model's levels. */
  readonly reasoning_effort?: string;
  /** `{"type": "json_object"}`, or `{"type": "json_schema", "json_schema": {...}}`. */
  readonly response_format?: { readonly [key: string]: Json };
  /**
   * Whether the first call of a turn calls triggers: `auto` (as when absent), `required`, `none`, or the trigger that it
   * must call, `{"type": "function", "function": {"name": "..."}}`. Later calls are free to.
   */
  readonly tool_choice?: "auto" | "none" | "required" | { readonly [key: string]: Json };
}

/** An assistant as the host configures it, in code or as plain JSON. */
export interface AssistantConfig<TriggerName extends string = string> {
  /** Where editors find the JSON Schema of this: `./node_modules/@tollgate/core/dist/assistant.schema.json`. */
  readonly $schema?: string;
  /** Its own among all assistants; the variable `$assistant.id`. */
  readonly id: string;
  /** The variable `$company.id`. */
  readonly companyId: string;
  /** The public id of a model of the gateway. */
  readonly model: string;
  /** The system message of every call. */
  readonly instructions?: string;
  /** Parameters of its calls. */
  readonly settings?: AssistantSettings;
  /** What the model can have done, each by a name of its own. */
  readonly triggers?: readonly TriggerConfig<TriggerName>[];
  /**
   * Variables that no model, session, log or dry run is ever shown. A name is 1 to 128 letters, digits, `_`, `-` and `.`
   * and begins with a letter or `_`; a value has at least 4 characters.
   */
  readonly secrets?: { readonly [name: string]: string };
}
