import type { ComponentChildren } from "preact";
import type { Resource } from "../state/resource.ts";
import { Problem } from "./problem.tsx";
import { Skeleton } from "./skeleton.tsx";

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
