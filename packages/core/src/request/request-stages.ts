import type { CheckedPlan } from "../catalogue/checked-plan.ts";
import type { Run } from "../limits/in-flight.ts";
import type { OutputBound } from "../money/bounds.ts";
import type { Bound } from "../money/charge-usage.ts";
import type { ApiKey } from "../ports/key-store.ts";
import type { Model } from "../ports/model.ts";
import type { RequestContent } from "./request-content.ts";
import type { RequestContext } from "./request-context.ts";

/** A request whose key is known and active. */
export interface Authenticated extends RequestContext {
  readonly key: ApiKey;
  readonly plan: CheckedPlan;
}

/** A request of an account that has accepted the terms in force. */
export interface Consented extends Authenticated {
  /** Versions of which the account has accepted one; empty when none is in force. */
  readonly acceptableTerms: readonly string[];
}

/** A request that was counted and is running. Its run must be ended. */
export interface Admitted extends Consented {
  readonly run: Run;
}

/** A request whose body has been read. */
export interface WithBody extends Admitted {
  readonly body: Uint8Array;
}

/** A request whose body is a ChatCompletionRequest. */
export interface Parsed extends Admitted {
  readonly content: RequestContent;
}

/** A request for a model that its key may use. */
export interface Selected extends Parsed {
  readonly model: Model;
}

/** A request that asks for no feature that its key, plan or model lacks. */
export interface Permitted extends Selected {
  readonly featuresChecked: true;
}

/** A request whose values the model accepts, as far as can be known without asking it. */
export interface Checked extends Permitted {
  readonly parametersChecked: true;
}

/** A request whose size is bounded, with its tokens and its place reserved in the limits of its key. */
export interface Reserved extends Checked {
  /** Tokens that the prompt cannot exceed. */
  readonly promptBound: number;
  readonly outputBound: OutputBound;
}

/** What a request may cost, and the hold that covers it. */
export interface Funds {
  /** Undefined when the plan does not bill. */
  readonly holdId: string | undefined;
  /** Nano-units. */
  readonly amount: bigint;
  /** The most tokens of one choice that go upstream as a cap; undefined: the model's own maximum. */
  readonly outputCap: number | undefined;
  /** The cap was lowered to what the account can pay. */
  readonly capWasLowered: boolean;
}

/** A request that is paid for as far as it may go. Its bill must be opened, and closed once. */
export interface Held extends Reserved {
  readonly funds: Funds;
}

/** What was reserved for a request, in money and in tokens. */
export const boundOf = ({
  funds,
  promptBound,
  outputBound,
}: Pick<Held, "funds" | "promptBound" | "outputBound">): Bound => ({
  amount: funds.amount,
  tokens: promptBound + outputBound.total,
});
