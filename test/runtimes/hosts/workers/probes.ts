import { answerProbe } from "../probes/answer-probe.ts";
import type { Environment } from "./environment.ts";

/** Answers the probes on workerd. */
export default { fetch: (request: Request, environment: Environment) => answerProbe(request, environment) };
