import ts from "typescript";

const file = "packages/core/src/ports/observer.ts";

/** The fields of each event by its type, as the type `GatewayEvent` has them, optional ones with "?". */
export function eventFields(): ReadonlyMap<string, readonly string[]> {
  const program = ts.createProgram([file], {
    strict: true,
    exactOptionalPropertyTypes: true,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    allowImportingTsExtensions: true,
    noEmit: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  const alias = program
    .getSourceFile(file)
    ?.statements.find((each) => ts.isTypeAliasDeclaration(each) && each.name.text === "GatewayEvent");
  const event = alias === undefined ? undefined : checker.getTypeAtLocation(alias);
  if (event?.isUnion() !== true) throw new Error(`${file} has no union GatewayEvent any more. Correct this test.`);
  const fields = new Map<string, readonly string[]>();
  for (const variant of event.types) {
    const names = checker
      .getPropertiesOfType(variant)
      .filter(({ name }) => name !== "type")
      .map(({ name, flags }) => ((flags & ts.SymbolFlags.Optional) === 0 ? name : `${name}?`));
    for (const type of typesOf(variant, checker)) fields.set(type, names.toSorted());
  }
  return fields;
}

/** The strings of `readonly type: "a" | "b"`. */
function typesOf(variant: ts.Type, checker: ts.TypeChecker): readonly string[] {
  const property = variant.getProperty("type");
  const type = property === undefined ? undefined : checker.getTypeOfSymbol(property);
  const literals = type?.isUnion() === true ? type.types : [type];
  const texts = literals.flatMap((each) => (each?.isStringLiteral() === true ? [each.value] : []));
  if (texts.length === 0) throw new Error(`An event of ${file} has no literal \`type\`. Give it one.`);
  return texts;
}
