import { useSignal } from "@preact/signals";
import { ApiError } from "../api/client.ts";
import { watchNetwork } from "./network.ts";
import { forgetAll } from "./resource.ts";

/** Returns the state of a change, and `run`, which makes it once: undefined if it failed or another one is running. */
export function useChange() {
  const running = useSignal(false);
  const error = useSignal<ApiError | undefined>(undefined);
  const run = async <T>(send: () => Promise<T>): Promise<T | undefined> => {
    if (running.peek()) return undefined;
    running.value = true;
    error.value = undefined;
    try {
      const answer = await watchNetwork(send());
      forgetAll();
      return answer;
    } catch (cause) {
      error.value = cause instanceof ApiError ? cause : new ApiError(0, String(cause));
      return undefined;
    } finally {
      running.value = false;
    }
  };
  return { running, error, run };
}
