/** A value of a decoded form: text, or members by name. A list has its indexes as names. */
export type FormValue = string | FormMembers;
export interface FormMembers {
  [name: string]: FormValue;
}

/** Decodes `a[b][0]=c` as Stripe does in bodies and queries. https://docs.stripe.com/api/expanding_objects */
export function decodeForm(text: string): FormMembers {
  const form: FormMembers = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) put(form, name.split(/\]\[|\[|\]/).filter(isName), value);
  return form;
}

/** Returns the member at a path of names; undefined if there is none. */
export function memberAt(form: FormValue | undefined, ...path: string[]): FormValue | undefined {
  return path.reduce<FormValue | undefined>((at, name) => (typeof at === "object" ? at[name] : undefined), form);
}

/** Returns the text at a path of names. */
export function textAt(form: FormValue | undefined, ...path: string[]): string | undefined {
  const member = memberAt(form, ...path);
  return typeof member === "string" ? member : undefined;
}

/** Returns the texts of the members at a path, such as metadata. */
export function textsAt(form: FormValue | undefined, ...path: string[]): Record<string, string> {
  const member = memberAt(form, ...path);
  return typeof member === "object"
    ? Object.fromEntries(
        Object.entries(member).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
      )
    : {};
}

const isName = (name: string, index: number, names: readonly string[]): boolean =>
  name !== "" || index < names.length - 1;

function put(form: FormMembers, path: readonly string[], value: string): void {
  const [name = "", ...rest] = path;
  if (rest.length === 0) {
    form[name] = value;
    return;
  }
  const known = form[name];
  const members: FormMembers = typeof known === "object" ? known : Object.create(null);
  form[name] = members;
  put(members, rest, value);
}
