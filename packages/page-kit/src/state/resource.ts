import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { ApiError, address, type Query, read } from "../api/client.ts";
import type { Operation } from "../api/operations.ts";
import { watchNetwork } from "./network.ts";

/** A value that is loaded and kept current. */
export interface Resource<T> {
  /** The newest value. It stays while another is loading. */
  readonly data: Signal<T | undefined>;
  readonly error: Signal<ApiError | undefined>;
  /** True while a value for another key is loading, so that `data` belongs to the key before. */
  readonly stale: Signal<boolean>;
  readonly updatedAt: Signal<number | undefined>;
  reload(): Promise<void>;
}

/** The newest values by key as JSON, so that returning to a page shows them at once. */
const remembered = new Map<string, { readonly json: string; readonly at: number }>();
const rememberedMost = 60;

/** Forgets every value, because something was changed. */
export const forgetAll = (): void => remembered.clear();

/**
 * Loads what an operation answers, again when the operation or the query changes. With `pollMs` it is polled while
 * the page is visible, and `onPoll` decides what a poll shows instead of the new value.
 */
export function useResource<T>(
  operation: Operation<T>,
  query: Query = {},
  pollMs?: number,
  onPoll: (before: T, after: T) => T = (_, after) => after,
): Resource<T> {
  const key = address(operation, query);
  const known = useMemo(() => recall<T>(key), [key]);
  const data = useSignal<T | undefined>(known?.data);
  const error = useSignal<ApiError | undefined>(undefined);
  const stale = useSignal(known === undefined);
  const updatedAt = useSignal<number | undefined>(known?.at);
  const loader = useMemo(() => {
    const abort = new AbortController();
    const run = async (isPoll: boolean): Promise<void> => {
      try {
        const loaded = await watchNetwork(read(operation, query, abort.signal));
        if (abort.signal.aborted) return;
        const before = data.peek();
        data.value = isPoll && before !== undefined ? onPoll(before, loaded) : loaded;
        updatedAt.value = Date.now();
        error.value = undefined;
        stale.value = false;
        remember(key, data.value);
      } catch (cause) {
        if (abort.signal.aborted) return;
        error.value = cause instanceof ApiError ? cause : new ApiError(0, String(cause));
        stale.value = false;
      }
    };
    return { abort, run };
  }, [key]);
  useEffect(() => {
    if (known !== undefined) data.value = known.data;
    stale.value = known === undefined;
    error.value = undefined;
    void loader.run(false);
    const stop = pollMs === undefined ? undefined : everyWhileVisible(pollMs, () => loader.run(true));
    return () => {
      stop?.();
      loader.abort.abort();
    };
  }, [key]);
  return { data, error, stale, updatedAt, reload: () => loader.run(false) };
}

function recall<T>(key: string): { readonly data: T; readonly at: number } | undefined {
  const found = remembered.get(key);
  return found && { data: JSON.parse(found.json), at: found.at };
}

function remember(key: string, data: unknown): void {
  remembered.delete(key);
  remembered.set(key, { json: JSON.stringify(data), at: Date.now() });
  const oldest = remembered.keys().next().value;
  if (remembered.size > rememberedMost && oldest !== undefined) remembered.delete(oldest);
}

/**
 * Calls a function every `ms` milliseconds while the page is visible, and at once when it becomes visible again after
 * that time. Returns a function that stops it.
 */
function everyWhileVisible(ms: number, run: () => Promise<void>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = Date.now();
  let stopped = false;
  const next = (): void => {
    clearTimeout(timer);
    if (stopped || document.hidden) return;
    timer = setTimeout(
      async () => {
        await run();
        last = Date.now();
        next();
      },
      Math.max(0, last + ms - Date.now()),
    );
  };
  document.addEventListener("visibilitychange", next);
  next();
  return () => {
    stopped = true;
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", next);
  };
}

/** Loads a list of what the host configures; undefined while it is loading. */
export const useConfigured = <T>(operation: Operation<{ readonly data: readonly T[] }>): readonly T[] | undefined =>
  useResource(operation).data.value?.data;
