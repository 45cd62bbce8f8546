import { memorySessionStore } from "@tollgate/core";
import { expect, it, onTestFinished } from "vitest";
import { assistantUnderTest } from "../support/assistant-under-test.ts";
import { failsAfter, faulty } from "../support/faulty.ts";

it("a session is unlocked immediately if the store began a turn but its response was lost", async () => {
  const faults = [failsAfter(() => new Error("connection lost"))];
  const sessions = faulty(memorySessionStore(), (verb) => (verb === "beginTurn" ? faults.shift() : undefined));
  const under = await assistantUnderTest({ assistants: { sessions } });
  onTestFinished(() => under.close());
  under.think(() => ({ content: "Hello." }));
  const id = await under.session();
  expect((await under.say(id)).status).toBe(503);
  expect((await under.say(id)).status).toBe(200);
});
