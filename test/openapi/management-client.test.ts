import createClient from "openapi-fetch";
import { expect, it } from "vitest";
import { type Scene, setScene, tokens } from "../management/scene.ts";
import type { components, paths } from "./management-types.generated.ts";

// The build checks the types of these calls, so they show that the generated client compiles.
const clientOf = ({ url }: Scene, role: keyof typeof tokens = "admin") =>
  createClient<paths>({ baseUrl: url, headers: { authorization: `Bearer ${tokens[role]}` } });

it("a generated client creates a key, shows it and pages through the list", async () => {
  await using scene = await setScene();
  const client = clientOf(scene);
  const body = { account: "acme", plan: "prepaid", spend: { limit: "5", window: "day" } } as const;
  const created = await client.POST("/keys", { body });
  const secret: string | undefined = created.data?.secret;
  const key: components["schemas"]["Key"] | undefined = created.data?.key;
  expect([created.response.status, secret, key?.spend?.limit]).toEqual([201, expect.any(String), "5"]);
  const shown = await client.GET("/keys/{id}", { params: { path: { id: key?.id ?? "" } } });
  expect(shown.data?.account).toBe("acme");
  const second = await client.POST("/keys", { body });
  const list = await client.GET("/keys", { params: { query: { account: "acme", limit: "1" } } });
  const page = typeof list.data === "object" ? list.data : undefined;
  const cursor: string = page?.next ?? "";
  const rest = await client.GET("/keys", { params: { query: { account: "acme", limit: "1", cursor } } });
  const ids = [page, typeof rest.data === "object" ? rest.data : undefined].flatMap((each) => each?.data ?? []);
  expect(ids.map(({ id }) => id).toSorted()).toEqual([key?.id, second.data?.key.id].toSorted());
});

it("a generated client repeats a credit without effect", async () => {
  await using scene = await setScene();
  const credit = () =>
    clientOf(scene).POST("/accounts/{id}/credits", {
      params: { path: { id: "acme" }, header: { "Idempotency-Key": "invoice-17" } },
      body: { amount: "10", reason: "Invoice 17" },
    });
  const answers = [await credit(), await credit()].map(({ data }) => [data?.outcome, data?.balance.available]);
  expect(answers).toEqual([
    ["posted", "10"],
    ["repeated", "10"],
  ]);
});

it("a generated client gets errors with their code", async () => {
  await using scene = await setScene();
  const { error, response } = await clientOf(scene, "viewer").POST("/keys", {
    body: { account: "acme", plan: "prepaid" },
  });
  const code: string | undefined = error?.error.code;
  expect([response.status, code]).toEqual([403, "role_required"]);
});
