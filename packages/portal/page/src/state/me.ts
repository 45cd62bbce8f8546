import { type Signal, signal } from "@preact/signals";
import type { Me } from "../api/answers.ts";

/** Who is signed in; undefined while it is loading. */
export const me: Signal<Me | undefined> = signal(undefined);

/** True if the customer has the right. */
export const may = (right: Me["may"][number]): boolean => me.value?.may.includes(right) ?? false;
