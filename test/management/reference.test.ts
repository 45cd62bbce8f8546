import { type ManagementOptions, management } from "@tollgate/management";
import { describe, expect, it } from "vitest";
import { managementRoutes } from "../../packages/management/src/route-table.ts";
import { codeIn, readPage, rowsOf } from "../docs/markdown.ts";

const page = readPage("docs/reference/management.md");
const [options = "", routes = ""] = page.split("## Routes");

describe("docs/reference/management.md", () => {
  it("has each route with its least role, and no other", () => {
    const documented = rowsOf(routes).map(([route, role]) => [codeIn(route), role]);
    const table = managementRoutes.map(({ method, path, role }) => [
      `${method} ${path.replace(/:id|\*$/, "{id}")}`,
      role,
    ]);
    expect(documented).toEqual(table);
  });

  it("says which lists have exports", () => {
    const documented = rowsOf(routes).filter(([, , what]) => what?.endsWith("also CSV and JSON Lines"));
    expect(documented).toHaveLength(managementRoutes.filter(({ exports }) => exports.length > 1).length);
  });

  it("has each option once, and no other", () => {
    const wrong: ManagementOptions = JSON.parse('{"qqqqqqqqqqqqqqqqqqqqqqqq":1}');
    let message = "";
    try {
      management(wrong);
    } catch (thrown) {
      message = String(thrown);
    }
    const known = /`q+` is not a member of [^.]*\. Remove it; the members are ([\w, ]+)/
      .exec(message)?.[1]
      ?.split(", ");
    expect(
      rowsOf(options)
        .map(([option]) => codeIn(option))
        .toSorted(),
    ).toEqual(known?.toSorted());
  });
});
