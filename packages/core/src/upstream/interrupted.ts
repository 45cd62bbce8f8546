import { ProviderError } from "../errors/provider-error.ts";

/** Makes the error of an answer that its upstream gave up, such as for lack of resources. */
export const interrupted = (): ProviderError =>
  new ProviderError("failed", "The upstream gave its answer up before the end. Try again, or use another target.");
