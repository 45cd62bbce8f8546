import { useResource } from "@tollgate/page-kit/state/resource.ts";
import { operation } from "../../api/operations.ts";
import { texts } from "../../texts.ts";

/** Says that the terms in force are not accepted. */
export function OpenTerms() {
  const terms = useResource(operation("GET", "/terms"));
  const isOpen = terms.data.value?.data.some((each) => each.in_force && each.accepted_at === null) ?? false;
  if (!isOpen) return null;
  return (
    <p class="problem" role="status">
      <span>{texts.overview.termsOpen}</span>
      <a class="button" href="terms">
        {texts.overview.readTerms}
      </a>
    </p>
  );
}
