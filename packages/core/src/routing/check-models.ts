import { problemsOf } from "../options/problems.ts";
import { modelListSchema } from "../ports/model-schema.ts";

/** Returns the problems of a list of models; each names the option and says how to correct it. */
export const checkModels = (models: unknown): readonly string[] => problemsOf(modelListSchema, models, "models");
