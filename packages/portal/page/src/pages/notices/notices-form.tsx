import { type Signal, useSignal } from "@preact/signals";
import { change } from "@tollgate/page-kit/api/client.ts";
import { announce } from "@tollgate/page-kit/design/announcements.tsx";
import { TextField } from "@tollgate/page-kit/design/fields.tsx";
import { Problem } from "@tollgate/page-kit/design/loaded.tsx";
import { useChange } from "@tollgate/page-kit/state/change.ts";
import type { OwnNotices } from "../../api/answers.ts";
import { operation } from "../../api/operations.ts";
import { may } from "../../state/me.ts";
import { texts } from "../../texts.ts";

/** The form of the settings. Who lacks the right sees them, and cannot change them. */
export function NoticesForm({ known: { email, types, thresholds, offered } }: { readonly known: OwnNotices }) {
  const address = useSignal(email ?? "");
  const chosen = { types: useSignal(types), thresholds: useSignal(thresholds) };
  const saving = useChange();
  const save = async (): Promise<void> => {
    const body = {
      email: address.value.trim() || null,
      types: chosen.types.value,
      thresholds: chosen.thresholds.value,
    };
    if ((await saving.run(() => change(operation("PUT", "/notices"), body))) !== undefined)
      announce(texts.notices.saved);
  };
  return (
    <form
      class="section"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <fieldset class="form" disabled={!may("notices")}>
        <TextField
          label={texts.notices.email}
          hint={texts.notices.emailHint}
          value={address}
          input={{ type: "email", maxLength: 254, autocomplete: "email" }}
        />
        <Choices
          legend={texts.notices.types}
          offered={offered.types}
          chosen={chosen.types}
          label={(type) => texts.noticeTypes[type]}
        />
        {chosen.types.value.includes("spend.threshold") && (
          <Choices
            legend={texts.notices.thresholds}
            offered={offered.thresholds}
            chosen={chosen.thresholds}
            label={(percent) => share.format(percent / 100)}
          />
        )}
        <Problem error={saving.error.value} />
        {may("notices") && (
          <div>
            <button type="submit" class="button primary" disabled={saving.running.value}>
              {saving.running.value ? texts.actions.working : texts.keys.save}
            </button>
          </div>
        )}
      </fieldset>
    </form>
  );
}

const share = new Intl.NumberFormat(undefined, { style: "percent" });

interface ChoicesProps<Choice> {
  readonly legend: string;
  readonly offered: readonly Choice[];
  readonly chosen: Signal<readonly Choice[]>;
  readonly label: (choice: Choice) => string;
}

function Choices<Choice extends string | number>({ legend, offered, chosen, label }: ChoicesProps<Choice>) {
  return (
    <fieldset>
      <legend>{legend}</legend>
      {offered.map((choice) => (
        <label key={choice} class="check">
          <input
            type="checkbox"
            checked={chosen.value.includes(choice)}
            onChange={({ currentTarget: { checked } }) => {
              const others = chosen.value.filter((each) => each !== choice);
              chosen.value = checked ? [...others, choice] : others;
            }}
          />
          {label(choice)}
        </label>
      ))}
    </fieldset>
  );
}
