import { runMatrix } from "./matrix.ts";
import { passes } from "./passes.ts";

runMatrix(passes.openai, Object.values(passes));
