const advice =
  "Pass the signing secret of the endpoint, which the dashboard of Stripe shows, or that of `stripe listen`";

/**
 * Returns what is wrong with a signing secret without quoting it; undefined for one that Stripe can have made. Everybody can
 * sign events with a secret that is empty or was copied from an example, and so credit accounts.
 */
export function secretProblem(secret: unknown): string | undefined {
  if (typeof secret !== "string" || secret === "") return `is empty. ${advice}`;
  if (!secret.startsWith("whsec_")) return `does not begin with "whsec_". ${advice}`;
  return looksRandom(secret.slice("whsec_".length)) ? undefined : `is a placeholder. ${advice}`;
}

/** Stripe's are 32 letters and digits or more. Words, repetition and punctuation are from people. */
function looksRandom(text: string): boolean {
  const kinds = [/[a-z]/, /[A-Z]/, /[0-9]/].filter((kind) => kind.test(text)).length;
  return /^[A-Za-z0-9+/=]{24,}$/.test(text) && kinds >= 2 && new Set(text).size >= 10;
}
