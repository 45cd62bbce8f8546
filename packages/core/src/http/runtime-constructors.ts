import { type FetchConstructors, runtimeConstructors } from "./web-stream.ts";

/** Returns the constructors of the runtime. package.json chooses this file in bundles for Workers and browsers. */
export const constructorsFor = (): FetchConstructors => runtimeConstructors;
