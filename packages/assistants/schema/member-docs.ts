import ts from "typescript";

/** The doc comments of an interface and of its members, each as one line of text. */
export interface InterfaceDocs {
  readonly description: string | undefined;
  readonly members: ReadonlyMap<string, string>;
}

/** Returns the doc comments of the interfaces in a TypeScript source, by name. */
export function readDocs(source: string): ReadonlyMap<string, InterfaceDocs> {
  const file = ts.createSourceFile("source.ts", source, ts.ScriptTarget.Latest, true);
  return new Map(
    file.statements.filter(ts.isInterfaceDeclaration).map((node) => [
      node.name.text,
      {
        description: docOf(node),
        members: new Map(
          node.members.flatMap((member) => {
            const doc = docOf(member);
            return member.name === undefined || doc === undefined ? [] : [[member.name.getText(), doc] as const];
          }),
        ),
      },
    ]),
  );
}

function docOf(node: ts.Node): string | undefined {
  const comments = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  return ts.getTextOfJSDocComment(comments.at(-1)?.comment)?.replace(/\s+/g, " ");
}
