import { runMatrix } from "./matrix.ts";
import { passes } from "./passes.ts";

runMatrix(passes.fetch, Object.values(passes));
