import { type Signal, useSignal } from "@preact/signals";
import { type Query, read } from "../api/client.ts";
import type { Operation, Page } from "../api/operations.ts";
import { watchNetwork } from "./network.ts";
import { type Resource, useResource } from "./resource.ts";

/** A list with cursor pages that is polled. */
export interface List<T> extends Resource<Page<T>> {
  readonly identify: (row: T) => string;
  /** True when there are new rows at the top, which `reload` shows. */
  readonly fresh: Signal<boolean>;
  readonly loadingMore: Signal<boolean>;
  /** Loads the next page and appends it. */
  more(): Promise<void>;
}

const pollMs = 15_000;

/** Loads the list that an operation answers. A poll updates rows but never moves them. */
export function useList<T>(operation: Operation<Page<T>>, query: Query, identify: (row: T) => string): List<T> {
  const fresh = useSignal(false);
  const loadingMore = useSignal(false);
  const resource = useResource(operation, query, pollMs, (before, after) => {
    const newRows = new Map(after.data.map((row) => [identify(row), row]));
    const known = new Set(before.data.map(identify));
    fresh.value = after.data.some((row) => !known.has(identify(row)));
    return { ...before, data: before.data.map((row) => newRows.get(identify(row)) ?? row) };
  });
  const more = async (): Promise<void> => {
    const shown = resource.data.peek();
    if (shown?.next == null || loadingMore.peek()) return;
    loadingMore.value = true;
    try {
      const page = await watchNetwork(read(operation, { ...query, cursor: shown.next }));
      if (resource.data.peek()?.next === shown.next) {
        resource.data.value = { data: [...shown.data, ...page.data], next: page.next };
      }
    } finally {
      loadingMore.value = false;
    }
  };
  const reload = async (): Promise<void> => {
    await resource.reload();
    fresh.value = false;
  };
  return { ...resource, identify, reload, fresh, loadingMore, more };
}
