import { problemsOf } from "../options/problems.ts";
import { modelListSchema } from "../ports/model-schema.ts";

/** The problems of a list of models, each with the option's name and the cure. */
export const checkModels = (models: unknown): readonly string[] => problemsOf(modelListSchema, models, "models");
