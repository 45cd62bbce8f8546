import { describe, expect, it } from "vitest";
import { secretProblem } from "./webhook-secret.ts";

describe("secretProblem", () => {
  it.each([
    "whsec_Zk3vB8qLw1TnR5yXc7MdH2sJf9GpAe4U",
    // As `stripe listen` prints it.
    "whsec_2f6a1c9be04d7358a1b2c3d4e5f60718293a4b5c6d7e8f901a2b3c4d5e6f7089",
  ])("takes %s", (secret) => {
    expect(secretProblem(secret)).toBeUndefined();
  });

  it.each([
    ["", "is empty."],
    [undefined, "is empty."],
    ["sk_live_Zk3vB8qLw1TnR5yXc7MdH2sJ", 'does not begin with "whsec_".'],
    ["whsec_", "is a placeholder."],
    ["whsec_...", "is a placeholder."],
    ["whsec_test_secret", "is a placeholder."],
    ["whsec_test_of_the_recipe_that_is_long_enough", "is a placeholder."],
    ["whsec_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "is a placeholder."],
    ["whsec_yourwebhooksigningsecretgoeshere", "is a placeholder."],
    ["whsec_12345678901234567890123456789012", "is a placeholder."],
    ["whsec_Zk3vB8qLw1TnR5yXc7MdH2sJf9GpAe4U\n", "is a placeholder."],
  ])("refuses %j without quoting it", (secret, problem) => {
    const found = secretProblem(secret) ?? "";
    expect(found.startsWith(problem)).toBe(true);
    if (secret !== undefined && secret.length > "whsec_".length) expect(found).not.toContain(secret.trim());
  });
});
