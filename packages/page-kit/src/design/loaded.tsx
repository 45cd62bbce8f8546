import type { ComponentChildren } from "preact";
import type { ApiError } from "../api/client.ts";
import type { Resource } from "../state/resource.ts";
import { texts } from "../texts.ts";
import { Button } from "./controls.tsx";

interface LoadedProps<T> {
  readonly resource: Resource<T>;
  /** The number of lines of the skeleton. */
  readonly lines?: number;
  readonly children: (data: T) => ComponentChildren;
}

/** A value when it is there, a skeleton while it is loading, and its error. */
export function Loaded<T>({ resource: { data, error, reload }, lines = 8, children }: LoadedProps<T>) {
  return (
    <>
      <Problem error={error.value} retry={reload} />
      {data.value !== undefined ? children(data.value) : error.value === undefined && <Skeleton lines={lines} />}
    </>
  );
}

/** A failure with what to do about it. */
export function Problem({ error, retry }: { readonly error: ApiError | undefined; readonly retry?: () => unknown }) {
  if (error === undefined) return null;
  return (
    <div class="problem" role="alert">
      <span>{error.message}</span>
      {error.status === 401 ? (
        <Button onClick={() => window.location.reload()}>{texts.actions.reload}</Button>
      ) : (
        retry !== undefined && <Button onClick={() => void retry()}>{texts.actions.tryAgain}</Button>
      )}
    </div>
  );
}

/** Lines in the place of text that is loading. They appear after 150 ms. */
function Skeleton({ lines }: { readonly lines: number }) {
  return (
    <div class="skeleton" aria-hidden="true">
      {Array.from({ length: lines }, (_, index) => (
        <div key={index} class="skeleton-line" />
      ))}
    </div>
  );
}
