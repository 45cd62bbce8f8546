import type { WebhookError } from "../../ports/webhook-error.ts";
import { writeExactJson } from "../../wire/exact-json.ts";
import type { Json } from "../../wire/json.ts";
import type { Redactor } from "../redaction/redactor.ts";
import { cutCharacters } from "./cut-text.ts";
import type { Answer } from "./read-answer.ts";

const mostCharacters = 16_000;

/** The content of the `tool` message for a call that succeeded: JSON text, redacted. */
export function successMessage(
  redactor: Redactor,
  status: number,
  directive: string | undefined,
  answer: Answer,
): string {
  return writeExactJson({
    ok: true,
    status,
    ...(directive === undefined ? {} : { directive: redactor.text(directive) }),
    response: responseOf(redactor, answer),
  });
}

/** The same for a call that did not succeed; `answer` is what the target said, when the model may see it. */
export function failureContent(
  redactor: Redactor,
  status: number | null,
  error: WebhookError,
  answer: Answer | undefined,
): string {
  const shown = answer === undefined || answer.text === "" ? {} : { response: responseOf(redactor, answer) };
  return writeExactJson({
    ok: false,
    status,
    error: { code: error.code, message: redactor.text(error.message), outcome: error.certainty },
    ...shown,
  });
}

/** JSON as it is, when its text is short enough; else text, cut with a note of its whole length. */
function responseOf(redactor: Redactor, answer: Answer): Json {
  if (answer.json === undefined) return cut(redactor.text(answer.text));
  const value = redactor.json(answer.json.value);
  if (typeof value === "string") return cut(value);
  const text = writeExactJson(value);
  return text.length > mostCharacters ? cut(text) : value;
}

const cut = (text: string): string =>
  text.length <= mostCharacters
    ? text
    : `${cutCharacters(text, mostCharacters)}\n[truncated: ${mostCharacters} of ${text.length} characters]`;
