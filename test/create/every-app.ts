import { type App, type AppChoices, choices } from "create-tollgate";

const optionsOf = <Name extends keyof AppChoices>(options: Readonly<Record<AppChoices[Name], unknown>>) =>
  Object.keys(options) as AppChoices[Name][];

/** Every combination of choices. The name of each app is that of its combination. */
export const everyApp: readonly App[] = optionsOf<"framework">(choices.framework).flatMap((framework) =>
  optionsOf<"language">(choices.language).flatMap((language) =>
    optionsOf<"store">(choices.store).flatMap((store) =>
      optionsOf<"provider">(choices.provider).map((provider) => ({
        framework,
        language,
        store,
        provider,
        name: [framework.replace(":", "-"), language, store, provider].join("-"),
        password: "password-of-the-test",
      })),
    ),
  ),
);
