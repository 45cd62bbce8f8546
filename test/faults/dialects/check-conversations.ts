import type { ResponseStore } from "@tollgate/core/store";
import type { StoredAnswer } from "./answer-call.ts";
import { answerText, linkText, textsOf } from "./conversation.ts";

const account = "acme";

/** Returns a violation for each response that was answered as stored and whose conversation does not read back whole. */
export async function checkConversations(responses: ResponseStore, stored: readonly StoredAnswer[]): Promise<string[]> {
  const answers = new Map(stored.map((answer) => [answer.id, answer]));
  const violations = await Promise.all([...answers.values()].map((answer) => check(responses, answers, answer)));
  return violations.flat();
}

async function check(
  responses: ResponseStore,
  answers: ReadonlyMap<string, StoredAnswer>,
  answer: StoredAnswer,
): Promise<string[]> {
  const { id } = answer;
  const found = await responses.find({ id, account });
  if (!found?.response.includes(`"${id}"`) || !found.response.includes(answerText)) {
    return [`The response ${id} was answered as stored, and is lost.`];
  }
  const conversation = await responses.conversation({ id, account }, { maxBytes: 1_000_000 });
  const items = conversation.outcome === "found" ? conversation.items : [];
  const texts = textsOf(items.map(({ json }) => JSON.parse(json)));
  const expected = expectedTexts(answers, answer);
  if (texts.join("\n") === expected.join("\n")) return [];
  return [`The conversation of ${id} is ${conversation.outcome}: ${texts} instead of ${expected}`];
}

/** The texts of a conversation, from its first request to its last answer. */
function expectedTexts(answers: ReadonlyMap<string, StoredAnswer>, { call }: StoredAnswer): string[] {
  const previous = answers.get(call.continues ?? "");
  const before = previous === undefined ? [] : expectedTexts(answers, previous);
  return [...before, linkText(call.link, call.requestId), answerText];
}
