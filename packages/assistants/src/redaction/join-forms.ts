/** One way to write a secret: for each of its characters, the source of a regular expression that matches it. */
export type SecretForm = readonly string[];

/**
 * Returns the source of a regular expression that matches any of the forms, longer ones first. A common prefix occurs
 * once, so that many secrets with the same prefix cost little more than one.
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

/** Joins forms that are equal at `at`. The loop skips their common prefix, so that recursion depth depends on branches, not on length. */
function joinGroup(group: readonly SecretForm[], at: number): string {
  const [first] = group;
  let end = at + 1;
  while (first !== undefined && end < first.length && group.every((form) => form[end] === first[end])) end++;
  return (first?.slice(at, end).join("") ?? "") + join(group, end);
}

/** Groups the forms by their element at `at`. The group with the longest form is first, that of forms which end there last. */
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
