import type { Assistant } from "../../api/assistants.ts";
import { read } from "../../api/client.ts";
import type { Page } from "../../api/common.ts";
import type { Plan } from "../../api/keys.ts";
import type { Model } from "../../api/models.ts";
import { EmptyState } from "../../design/empty-state.tsx";
import { PageHeader } from "../../design/page-header.tsx";
import { type Address, useAddress } from "../../state/location.ts";
import { may } from "../../state/me.ts";
import { useResource } from "../../state/resource.ts";
import { draft, startAgain } from "./draft.ts";
import { PlaygroundSettings } from "./playground-settings.tsx";
import { Talk } from "./talk.tsx";
import type { PlaygroundChoices, PlaygroundTarget } from "./target.ts";

/** Talks to any model or assistant as a customer would. */
export function PlaygroundPage() {
  const at = useAddress();
  const models = useResource<Page<Model>>("models", (signal) => read("models", {}, signal));
  const plans = useResource<Page<Plan>>("plans", (signal) => read("plans", {}, signal));
  const assistants = useResource<Page<Assistant>>("assistants", (signal) => read("assistants", {}, signal));
  const choices = {
    models: models.data.value?.data.filter(({ kind }) => kind === "chat") ?? [],
    plans: plans.data.value?.data ?? [],
    assistants: assistants.data.value?.data ?? [],
  };
  const target = targetOf(at, choices);
  return (
    <>
      <PageHeader title="Playground">
        <span class="end">
          {draft.turns.value.length > 0 && (
            <button type="button" class="button" onClick={startAgain}>
              Start again
            </button>
          )}
        </span>
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
