import { runMatrix } from "./matrix.ts";
import { passes } from "./passes.ts";

runMatrix(passes.messages, Object.values(passes));
