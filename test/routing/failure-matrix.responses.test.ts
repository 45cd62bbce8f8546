import { runMatrix } from "./matrix.ts";
import { passes } from "./passes.ts";

runMatrix(passes.responses, Object.values(passes));
