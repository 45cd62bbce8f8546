import { Badge, type Tone } from "./badge.tsx";

interface RequestStateProps {
  readonly status: number;
  readonly ending: string;
}

/** The words of an ending other than "complete". */
const endings: Readonly<Record<string, string>> = {
  client_gone: "client left",
  upstream_failed: "upstream failed",
  drained: "drained",
};

/** The status of a response with how it ended. */
export function RequestState({ status, ending }: RequestStateProps) {
  const ended = endings[ending];
  return <Badge tone={toneOf(status, ending)}>{ended === undefined ? String(status) : `${status} ${ended}`}</Badge>;
}

function toneOf(status: number, ending: string): Tone {
  if (status >= 500 || ending === "upstream_failed") return "bad";
  return status >= 400 || ending === "client_gone" ? "warning" : "good";
}
