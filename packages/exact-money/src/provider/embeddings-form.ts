import type { AnswerForm } from "./answer-form.ts";
import { usageMember } from "./answer-form.ts";

/** Embeddings, as https://platform.openai.com/docs/api-reference/embeddings describes them: one vector, never a stream. */
export const embeddingsForm: AnswerForm = {
  usageOf: ({ input }) => ({ prompt_tokens: input, total_tokens: input }),
  whole: (answer) => ({
    object: "list",
    data: [{ object: "embedding", index: 0, embedding: [0.25, 0.5, 0.25] }],
    model: answer.model,
    ...usageMember(answer),
  }),
  events: () => [],
};
