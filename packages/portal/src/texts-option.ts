import { filledText, optionMembers } from "@tollgate/core/internal";
import * as v from "valibot";
import { englishTexts } from "./texts.ts";

/** The texts of the portal in their groups. */
export type PortalTexts = typeof englishTexts;

/** Texts that replace those of the page: any of the members of its groups. */
export type GivenTexts = { readonly [Group in keyof PortalTexts]?: Partial<PortalTexts[Group]> };

const groupOption = (name: string, group: Readonly<Record<string, string>>) =>
  v.exactOptional(
    optionMembers(
      `the texts of ${name}`,
      Object.fromEntries(Object.keys(group).map((member) => [member, v.exactOptional(filledText)])),
    ),
  );

/** The schema of the option `texts`. */
export const textsOption: v.GenericSchema<unknown, GivenTexts> = optionMembers(
  "the texts of the portal",
  Object.fromEntries(Object.entries(englishTexts).map(([name, group]) => [name, groupOption(name, group)])),
);
