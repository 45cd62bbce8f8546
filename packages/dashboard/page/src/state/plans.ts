import { read } from "../api/client.ts";
import type { Page } from "../api/common.ts";
import type { Plan } from "../api/keys.ts";
import { useResource } from "./resource.ts";

/** Loads the plans of the gateway; undefined while they are loading. */
export const usePlans = (): readonly Plan[] | undefined =>
  useResource<Page<Plan>>("plans", (signal) => read("plans", {}, signal)).data.value?.data;
