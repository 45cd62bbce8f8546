import { describe, expect, it } from "vitest";
import { completionOf } from "../support/scripted-provider.ts";
import { mountedOnce } from "./mounts/mounts.ts";
import { prefix, setScene } from "./scene.ts";

const plans = [{ id: "prepaid", billing: "prepaid", dialects: ["chat"] }] as const;

describe.each(mountedOnce)("$title", ({ mount, variant }) => {
  it("refuses the dialects that a plan lacks, each in its form, and then answers a completion", async () => {
    await using scene = await setScene(mount, variant, { plans });
    const client = await scene.connect();
    const ask = async (path: string) => {
      client.write(scene.request("POST", `${prefix}${path}`, { model: "plain" }));
      const { status, body } = await client.response();
      const { type, error } = JSON.parse(body);
      return [status, type, error.type, error.code];
    };
    expect(await ask("/messages")).toEqual([403, "error", "permission_error", undefined]);
    expect(await ask("/responses")).toEqual([403, undefined, "permission_error", "feature_not_available"]);
    expect(await ask("/embeddings")).toEqual([403, undefined, "permission_error", "feature_not_available"]);
    client.write(scene.chat());
    (await scene.upstream.nextCall()).json(completionOf("Hi"));
    expect((await client.response()).status).toBe(200);
  });
});
