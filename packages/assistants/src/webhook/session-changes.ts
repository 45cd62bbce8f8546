import { clientDataProblem, isJsonMembers } from "@tollgate/core/extension";
import type { Json } from "@tollgate/core/provider";
import type { ClientDataChanges } from "@tollgate/core/store";
import type { Redactor } from "../redaction/redactor.ts";

/** The redacted changes of client data that a response requests, and warnings about invalid ones. */
export interface SessionChanges {
  readonly changes: ClientDataChanges;
  readonly warnings: readonly string[];
}

const maxWarnings = 20;

/** Reads `session.client_data` of a JSON response. Reads own properties only. Each invalid key is skipped with a warning. */
export function sessionChanges(redactor: Redactor, value: Json): SessionChanges {
  const session = own(value, "session");
  const clientData = session === undefined ? undefined : own(session, "client_data");
  if (clientData === undefined) return { changes: [], warnings: [] };
  if (!isJsonMembers(clientData)) {
    return { changes: [], warnings: ["session.client_data of the response is not an object. Nothing was merged."] };
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
    else problems.push(`session.client_data of the response ${problem} It was not merged.`);
  }
  return { changes, warnings: limited(problems) };
}

function limited(problems: readonly string[]): readonly string[] {
  const more = problems.length - maxWarnings;
  return more <= 0 ? problems : [...problems.slice(0, maxWarnings), `${more} more keys were not merged.`];
}

const own = (value: Json, key: string): Json | undefined =>
  isJsonMembers(value) && Object.hasOwn(value, key) ? value[key] : undefined;
