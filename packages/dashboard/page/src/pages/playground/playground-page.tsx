import { Button } from "@tollgate/page-kit/design/controls.tsx";
import { EmptyState, PageHeader } from "@tollgate/page-kit/design/layout.tsx";
import { type Address, useAddress } from "@tollgate/page-kit/state/location.ts";
import { useConfigured } from "@tollgate/page-kit/state/resource.ts";
import { operation } from "../../api/operations.ts";
import { may } from "../../state/me.ts";
import { draft, type PlaygroundChoices, type PlaygroundTarget, startAgain } from "./draft.ts";
import { PlaygroundSettings } from "./playground-settings.tsx";
import { Talk } from "./talk.tsx";

/** Talks to any model or assistant as a customer would. */
export function PlaygroundPage() {
  const at = useAddress();
  const models = useConfigured(operation("GET", "/models"));
  const plans = useConfigured(operation("GET", "/plans"));
  const assistants = useConfigured(operation("GET", "/assistants"));
  const choices = {
    models: models?.filter(({ kind }) => kind === "chat") ?? [],
    plans: plans ?? [],
    assistants: assistants ?? [],
  };
  const target = targetOf(at, choices);
  return (
    <>
      <PageHeader title="Playground">
        <span class="end">{draft.turns.value.length > 0 && <Button onClick={startAgain}>Start again</Button>}</span>
      </PageHeader>
      {may("operator") ? (
        <div class="playground">
          <PlaygroundSettings at={at} target={target} choices={choices} />
          <Talk target={target} />
        </div>
      ) : (
        <EmptyState title="The playground needs the role operator">
          It creates a key of five minutes and spends an account's money. Ask an admin for the role.
        </EmptyState>
      )}
    </>
  );
}

/** Reads the target of an address. What it does not name is the first choice. */
function targetOf({ query }: Address, { models, plans, assistants }: PlaygroundChoices): PlaygroundTarget {
  const mode = query["mode"] === "assistant" ? "assistant" : "model";
  const id = mode === "model" ? (query["model"] ?? models[0]?.id) : (query["assistant"] ?? assistants[0]?.id);
  return { mode, id: id ?? "", account: query["account"] ?? "", plan: query["plan"] ?? plans[0]?.id ?? "" };
}
