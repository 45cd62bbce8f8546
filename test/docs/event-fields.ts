import { readFileSync } from "node:fs";
import ts from "typescript";

/** The fields of each event by its type, as `packages/core/src/ports/observer.ts` declares them, each optional one with "?". */
export function eventFields(): ReadonlyMap<string, readonly string[]> {
  const path = "packages/core/src/ports/observer.ts";
  const source = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest);
  const shared = new Map<string, readonly ts.TypeElement[]>();
  let union: ts.TypeNode | undefined;
  for (const statement of source.statements) {
    if (ts.isInterfaceDeclaration(statement)) shared.set(statement.name.text, [...statement.members]);
    if (ts.isTypeAliasDeclaration(statement) && statement.name.text === "GatewayEvent") union = statement.type;
  }
  if (union === undefined || !ts.isUnionTypeNode(union)) throw new Error(`${path} has no union GatewayEvent any more.`);
  const fields = new Map<string, readonly string[]>();
  for (const variant of union.types) {
    const members = membersOf(variant, shared);
    const names = members.map((member) => `${nameOf(member, source)}${member.questionToken === undefined ? "" : "?"}`);
    const type = members.find((member) => nameOf(member, source) === "type");
    for (const name of literalsOf(type)) fields.set(name, names.filter((field) => field !== "type").sort());
  }
  return fields;
}

function membersOf(
  node: ts.TypeNode,
  shared: ReadonlyMap<string, readonly ts.TypeElement[]>,
): readonly ts.TypeElement[] {
  if (ts.isParenthesizedTypeNode(node)) return membersOf(node.type, shared);
  if (ts.isIntersectionTypeNode(node)) return node.types.flatMap((each) => membersOf(each, shared));
  if (ts.isTypeLiteralNode(node)) return [...node.members];
  if (ts.isTypeReferenceNode(node) && ts.isIdentifier(node.typeName)) {
    const named = shared.get(node.typeName.text);
    if (named !== undefined) return named;
  }
  throw new Error("An event is written in a form that test/docs/event-fields.ts cannot read. Extend it.");
}

const nameOf = (member: ts.TypeElement, source: ts.SourceFile): string => member.name?.getText(source) ?? "";

/** The strings of `readonly type: "a" | "b"`. */
function literalsOf(member: ts.TypeElement | undefined): readonly string[] {
  const type = member !== undefined && ts.isPropertySignature(member) ? member.type : undefined;
  const nodes = type === undefined ? [] : ts.isUnionTypeNode(type) ? [...type.types] : [type];
  const texts = nodes.flatMap((node) =>
    ts.isLiteralTypeNode(node) && ts.isStringLiteral(node.literal) ? [node.literal.text] : [],
  );
  if (texts.length === 0) throw new Error("An event has no literal `type`. Extend test/docs/event-fields.ts.");
  return texts;
}
