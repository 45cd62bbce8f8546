/** A way to write a secret: for each character in turn, the source of a regular expression that matches it. */
export type SecretForm = readonly string[];

/**
 * The source of a regular expression that matches any of the forms, longer ones first. A beginning that several share
 * is tried once, so that many secrets with the same prefix cost little more than one.
 */
export function joinForms(forms: readonly SecretForm[]): string {
  return join(forms, 0);
}

function join(forms: readonly SecretForm[], at: number): string {
  const [only] = forms;
  if (only !== undefined && forms.length === 1) return only.slice(at).join("");
  const alternatives = groupsAt(forms, at).map(([first, group]) => (first === undefined ? "" : joinGroup(group, at)));
  return alternatives.length === 1 ? (alternatives[0] ?? "") : `(?:${alternatives.join("|")})`;
}

/** Forms that begin alike at `at`; the loop keeps the recursion as deep as the forms branch, not as long as they are. */
function joinGroup(group: readonly SecretForm[], at: number): string {
  const [first] = group;
  let end = at + 1;
  while (first !== undefined && end < first.length && group.every((form) => form[end] === first[end])) end++;
  return (first?.slice(at, end).join("") ?? "") + join(group, end);
}

/** The forms by what stands at `at`, the group with the longest form first; those that end there are the last. */
function groupsAt(
  forms: readonly SecretForm[],
  at: number,
): readonly (readonly [string | undefined, readonly SecretForm[]])[] {
  const groups = new Map<string | undefined, SecretForm[]>();
  for (const form of forms) {
    const group = groups.get(form[at]);
    if (group === undefined) groups.set(form[at], [form]);
    else group.push(form);
  }
  return [...groups].sort(([, some], [, others]) => longest(others) - longest(some));
}

const longest = (forms: readonly SecretForm[]): number => forms.reduce((most, { length }) => Math.max(most, length), 0);
