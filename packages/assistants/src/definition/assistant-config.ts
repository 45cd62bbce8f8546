import type { WebhookMethod } from "@tollgate/core/extension";
import type { Json } from "@tollgate/core/provider";

/**
 * The HTTP request of a trigger. Variables (`$name` or `${name}`; `$$` is a dollar sign) may occur in the URL after its
 * host, in header values, and in strings of the body. The method, header names, JSON keys and the directive have none.
 */
export interface WebhookConfig {
  /** Always `WEBHOOK`. */
  readonly type: "WEBHOOK";
  /** Absolute. Variables in its path and query are percent-encoded. */
  readonly url: string;
  /** GET, POST, PUT or DELETE. */
  readonly method: WebhookMethod;
  /** Sent in this order. Variables in values are inserted unchanged. */
  readonly headers?: readonly { readonly key: string; readonly value: string }[];
  /** An object, or text that is JSON after its variables are inserted, such as `{"urls": $images}`. A GET has no body. */
  readonly body?: { readonly [key: string]: Json } | string;
  /** Tells the model what to do with the response of a successful call. */
  readonly responseDirective?: string;
  /**
   * The type of a variable that is the whole of a string in an object body: `array` (the default) keeps arrays and
   * converts the rest to strings, `json` keeps every type, and `string` converts all to strings.
   */
  readonly valueType?: "array" | "json" | "string";
  /** Allows variables in the host. The rendered host, with its port if it has one, must be one of these. */
  readonly hostVariables?: readonly string[];
  /** The name of the secret that signs calls by the Standard Webhooks scheme. The value of the secret begins with `whsec_`. */
  readonly signingSecret?: string;
}

/** An action that the model can request. The model sees it as a tool of that name. */
export interface TriggerConfig<Name extends string = string> {
  /** 1 to 64 letters, digits, `_` and `-`. The model sees it. */
  readonly name: Name;
  /** Tells the model what the trigger does and when to use it. */
  readonly description?: string;
  /** A JSON Schema (2020-12 or draft-07) of an object. Its properties are the variables that the model supplies. */
  readonly parameters: { readonly [key: string]: Json };
  /** False: the model gets the response without the directive. Default: true. */
  readonly interpretResponse?: boolean;
  /** Another spelling of `interpretResponse`, which some configurations use. */
  readonly InterpretResponse?: boolean;
  /** The request that is sent when the model calls the trigger. */
  readonly webhook: WebhookConfig;
}

/** Parameters of the model calls, as in POST /chat/completions. An absent member uses the default of the model. */
export interface AssistantSettings {
  /** 0 to 2. */
  readonly temperature?: number;
  /** The maximum number of output tokens of one model call. A turn may make several calls. */
  readonly max_completion_tokens?: number;
  /** One of the model's levels. */
  readonly reasoning_effort?: string;
  /** `{"type": "json_object"}`, or `{"type": "json_schema", "json_schema": {...}}`. */
  readonly response_format?: { readonly [key: string]: Json };
  /**
   * Whether the model calls triggers in the first round of a turn: `auto` (the default), `required`, `none`, or the one
   * that it must call, `{"type": "function", "function": {"name": "..."}}`. Later rounds use `auto`.
   */
  readonly tool_choice?: "auto" | "none" | "required" | { readonly [key: string]: Json };
}

/** The configuration of an assistant, in code or as plain JSON. */
export interface AssistantConfig<TriggerName extends string = string> {
  /** The path of the JSON Schema, for editors: `./node_modules/@tollgate/assistants/dist/assistant.schema.json`. */
  readonly $schema?: string;
  /** Unique among all assistants. The variable `$assistant.id`. */
  readonly id: string;
  /** The variable `$company.id`. */
  readonly companyId: string;
  /** The public id of a model of the gateway. */
  readonly model: string;
  /** The system message of every model call. */
  readonly instructions?: string;
  /** Parameters of the model calls. */
  readonly settings?: AssistantSettings;
  /** The actions that the model can request. Their names are unique. */
  readonly triggers?: readonly TriggerConfig<TriggerName>[];
  /**
   * Variables whose values never appear in a prompt, a session, a log or a dry run. A name is 1 to 128 letters, digits,
   * `_`, `-` and `.`, and begins with a letter or `_`. A value has at least 4 characters.
   */
  readonly secrets?: { readonly [name: string]: string };
}
