import { Ajv2020 } from "ajv/dist/2020.js";
import { describeApi } from "../../packages/management/src/openapi/describe-api.ts";
import { managementRoutes } from "../../packages/management/src/route-table.ts";

/** The OpenAPI document of the management API. */
export const document = describeApi(managementRoutes);

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
ajv.addSchema({ ...document, $id: "document" });

/** Throws unless the answer of a request matches its schema in the document. The answers of unknown paths are errors. */
export function matchesDocument(method: string, path: string, status: number, json: unknown): void {
  const schema = status < 300 ? pointerOf(method, path, status) : "document#/components/schemas/Error";
  if (ajv.validate({ $ref: schema }, json)) return;
  throw new Error(`${method} ${path} answered ${status}, and not as the document says: ${ajv.errorsText()}`);
}

function pointerOf(method: string, path: string, status: number): string {
  const [pathname = ""] = path.split("?");
  const template = Object.keys(document.paths).find((each) => expression(each).test(pathname));
  if (template === undefined) throw new Error(`${path} is not in the document.`);
  const parts = ["paths", template, method.toLowerCase(), "responses", status, "content", "application/json", "schema"];
  return `document#/${parts.map((part) => encodeURIComponent(String(part).replaceAll("~", "~0").replaceAll("/", "~1"))).join("/")}`;
}

/** Fixed paths come before those with an id only if they have no id of the same form, which none has. */
const expression = (template: string): RegExp =>
  new RegExp(`^${template.replaceAll(".", "\\.").replace("{id}", "[^/]+")}$`);

/** Compiles every schema of the document and returns their number. Throws for an invalid one, and for a reference to nothing. */
export function compileDocument(): number {
  const schemas = schemasIn(document);
  for (const schema of schemas) {
    const text = JSON.stringify(schema).replaceAll('"#/components', '"document#/components');
    ajv.compile(JSON.parse(text));
  }
  return schemas.length;
}

/** Returns the values of all members named `schema`, and the named schemas. */
function schemasIn(value: unknown): readonly object[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === "schema" ? [member] : name === "schemas" ? Object.values(member) : schemasIn(member),
  );
}
