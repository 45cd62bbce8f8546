import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";

const unit = readFileSync("examples/cluster/tollgate@.service", "utf8");
const hasSystemd = spawnSync("systemd-analyze", ["--version"]).error === undefined;

it.skipIf(!hasSystemd)("tollgate@.service has no problem that systemd finds (needs systemd-analyze)", () => {
  const verify = (text: string) => {
    const place = mkdtempSync(join(tmpdir(), "tollgate-unit-"));
    onTestFinished(() => rmSync(place, { recursive: true }));
    writeFileSync(join(place, "tollgate@.service"), text);
    return spawnSync("systemd-analyze", ["verify", join(place, "tollgate@.service")], { encoding: "utf8" });
  };
  expect(verify(unit)).toMatchObject({ status: 0, stderr: "" });
  expect(verify(unit.replace("Restart=always", "Restart=allways")).stderr).toContain("allways");
});
