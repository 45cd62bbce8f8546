import { runMatrix } from "./matrix.ts";
import { passes } from "./passes.ts";

runMatrix(passes.pooled, Object.values(passes));
runMatrix(passes.largerWindow, Object.values(passes));
