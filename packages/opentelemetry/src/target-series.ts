import type { Attributes } from "@opentelemetry/api";
import { attribute, value } from "./conventions.ts";
import { type CallEvent, errorOf, operationOf } from "./events.ts";
import type { ProviderName } from "./provider-name.ts";

/**
 * The series of one target: its attributes on metrics, and its cost so far. Ids of requests, keys and accounts are on
 * spans only. The attributes are created once, since the SDK is twice as slow with new objects.
 */
export class TargetSeries {
  /** The operation, the provider and both names of the model. */
  readonly attributes: Attributes;
  /** The same without the provider's name of the model, since each attribute costs the SDK time. */
  readonly ofModel: Attributes;
  readonly inputTokens: Attributes;
  readonly outputTokens: Attributes;
  /** Nano-units. */
  cost = 0n;
  readonly #outcomes = new Map<string, Attributes>();

  constructor(attributes: Attributes) {
    this.attributes = attributes;
    const { [attribute.responseModel]: _, ...ofModel } = attributes;
    this.ofModel = ofModel;
    this.inputTokens = { ...ofModel, [attribute.tokenType]: value.inputToken };
    this.outputTokens = { ...ofModel, [attribute.tokenType]: value.outputToken };
  }

  /** Returns the attributes with those of the outcome of a call. */
  withOutcome(event: CallEvent): Attributes {
    const error = errorOf(event);
    const status = "status" in event ? event.status : undefined;
    const key = `${status} ${error}`;
    const known = this.#outcomes.get(key);
    if (known !== undefined) return known;
    const attributes = { ...this.attributes, ...outcomeAttributes(status, error) };
    this.#outcomes.set(key, attributes);
    return attributes;
  }
}

/** Returns the attributes of an outcome. A call of a turn has no status of its own. */
export const outcomeAttributes = (status: number | undefined, error: string | undefined): Attributes => ({
  ...(status === undefined ? {} : { [attribute.status]: status }),
  ...(error === undefined ? {} : { [attribute.error]: error }),
});

/** The series of all targets. There are as many as the gateway has targets, and one for calls that reached none. */
export class AllSeries {
  readonly #series = new Map<string, TargetSeries>();
  readonly #providerName: ProviderName;

  constructor(providerName: ProviderName) {
    this.#providerName = providerName;
  }

  /** Returns the series of the target of a call. */
  of(event: CallEvent): TargetSeries {
    const { provider, model, upstreamModel } = event;
    const operation = operationOf(event);
    const key = `${operation}\n${provider}\n${model}\n${upstreamModel}`;
    const known = this.#series.get(key);
    if (known !== undefined) return known;
    const series = new TargetSeries({
      [attribute.operation]: operation,
      ...(provider === undefined ? {} : { [attribute.provider]: this.#providerName(provider) }),
      ...(model === undefined ? {} : { [attribute.requestModel]: model }),
      ...(upstreamModel === undefined ? {} : { [attribute.responseModel]: upstreamModel }),
    });
    this.#series.set(key, series);
    return series;
  }

  /** Returns all series of targets that were called. */
  called(): readonly TargetSeries[] {
    return [...this.#series.values()].filter(({ attributes }) => attribute.provider in attributes);
  }
}
