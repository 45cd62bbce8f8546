import type { Signal } from "@preact/signals";
import { read } from "../../api/client.ts";
import type { Page } from "../../api/common.ts";
import type { Model } from "../../api/models.ts";
import { useResource } from "../../state/resource.ts";

/** The models that a key may use. None chosen means all of its plan. */
export function ModelChoice({ chosen }: { readonly chosen: Signal<readonly string[]> }) {
  const models = useResource<Page<Model>>("models", (signal) => read("models", {}, signal));
  const toggle = (id: string, on: boolean): void => {
    chosen.value = on ? [...chosen.value, id] : chosen.value.filter((each) => each !== id);
  };
  return (
    <details class="choice" open={chosen.value.length > 0}>
      <summary>
        Models{" "}
        <span class="muted">{chosen.value.length === 0 ? "All of the plan" : `${chosen.value.length} chosen`}</span>
      </summary>
      <div class="checks">
        {models.data.value?.data.map(({ id }) => (
          <label key={id} class="check">
            <input
              type="checkbox"
              checked={chosen.value.includes(id)}
              onChange={(event) => toggle(id, event.currentTarget.checked)}
            />
            {id}
          </label>
        ))}
      </div>
    </details>
  );
}
