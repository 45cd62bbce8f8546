import { afterAll, beforeAll, it, vi } from "vitest";
import { form } from "../../form.ts";
import { checkProperty } from "../script.ts";
import { Tally } from "../tally.ts";
import { limiterProperty } from "./limiter-property.ts";
import { memoryLimiterUnderTest } from "./memory-limiters.ts";

beforeAll(() => void vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] }));
afterAll(() => void vi.useRealTimers());

it("a limiter in memory matches the model after every call", async () => {
  const tally = new Tally();
  const property = limiterProperty(() => memoryLimiterUnderTest(), tally);
  await checkProperty("Model of the limiter in memory", property, form === "long" ? 20_000 : 600, tally);
}, 600_000);
