import { type ClientDataChanges, clientDataProblem } from "../../ports/client-data.ts";
import { isJsonMembers, type Json } from "../../wire/json.ts";
import type { Redactor } from "../redaction/redactor.ts";

/** What an answer wants merged into the client data, redacted, and what of it cannot be. */
export interface SessionChanges {
  readonly changes: ClientDataChanges;
  readonly warnings: readonly string[];
}

const mostWarnings = 20;

/** Reads `session.client_data` of an answer that is JSON. Own properties only; a refused key is left out, each with a warning. */
export function sessionChanges(redactor: Redactor, value: Json): SessionChanges {
  const session = own(value, "session");
  const clientData = session === undefined ? undefined : own(session, "client_data");
  if (clientData === undefined) return { changes: [], warnings: [] };
  if (!isJsonMembers(clientData)) {
    return { changes: [], warnings: ["session.client_data of the answer is no object. Nothing was merged."] };
  }
  return readEntries(redactor, Object.entries(clientData));
}

function readEntries(redactor: Redactor, entries: ClientDataChanges): SessionChanges {
  const changes: (readonly [key: string, value: Json])[] = [];
  const problems: string[] = [];
  for (const [key, value] of entries) {
    const change = [redactor.text(key), redactor.json(value)] as const;
    const problem = clientDataProblem(...change);
    if (problem === undefined) changes.push(change);
    else problems.push(`session.client_data of the answer ${problem} It was not merged.`);
  }
  return { changes, warnings: atMost(problems) };
}

function atMost(problems: readonly string[]): readonly string[] {
  const more = problems.length - mostWarnings;
  return more <= 0 ? problems : [...problems.slice(0, mostWarnings), `${more} more keys were not merged.`];
}

const own = (value: Json, key: string): Json | undefined =>
  isJsonMembers(value) && Object.hasOwn(value, key) ? value[key] : undefined;
