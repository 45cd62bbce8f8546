import { expect, it } from "vitest";
import { orderAssistant } from "../../test-support/order-assistant.ts";
import { parseAssistant } from "./define-assistant.ts";
import { readAssistant } from "./read-assistant.ts";

function assistantOf(config: unknown) {
  const reading = readAssistant(config);
  if ("problems" in reading) throw new Error(reading.problems.join("\n"));
  return reading.assistant;
}

const problemsOf = (config: unknown): readonly string[] => {
  const reading = readAssistant(config);
  return "problems" in reading ? reading.problems : [];
};

const smallest = { id: "a", companyId: "c", model: "m" };
const webhook = { type: "WEBHOOK", url: "https://shop.example/", method: "GET", responseDirective: "Be brief." };
const trigger = { name: "t", parameters: { properties: { size: {} } }, webhook };
const withTrigger = (changes: object, secrets: object = {}) => ({
  ...smallest,
  secrets,
  triggers: [{ ...trigger, ...changes }],
});
const firstTrigger = (changes: object, secrets: object = {}) =>
  assistantOf(withTrigger(changes, secrets)).triggers.get("t");

it("parses an assistant", () => {
  const assistant = assistantOf(orderAssistant);
  expect(assistant).toMatchObject({ id: "order-desk", companyId: "shop-17", model: "shop-chat" });
  expect([...assistant.triggers.keys()]).toEqual(["look_up_order", "create_order"]);
  const create = assistant.triggers.get("create_order");
  expect(create?.properties).toEqual(["article", "quantity", "note"]);
  expect(create?.signingSecret).toBe("whsec_c2hvcC1zaWduaW5nLXNlY3JldA==");
  expect(create?.checkArguments('{"article":"pen","quantity":1}').outcome).toBe("valid");
  expect(create?.checkArguments('{"article":"pen"}').outcome).toBe("invalid");
  expect(assistant.triggers.get("look_up_order")?.signingSecret).toBeUndefined();
});

it("makes a tool of each trigger, whose parameters declare an object", () => {
  expect(assistantOf(orderAssistant).triggers.get("look_up_order")?.tool).toEqual({
    type: "function",
    function: {
      name: "look_up_order",
      description: "Looks up one order by its number.",
      parameters: orderAssistant.triggers?.[0]?.parameters,
    },
  });
  expect(firstTrigger({ parameters: {} })?.tool.function).toEqual({
    name: "t",
    parameters: { type: "object", properties: {} },
  });
});

it("includes the directive unless the trigger disables it, in either spelling", () => {
  expect(firstTrigger({})?.directive).toBe("Be brief.");
  expect(firstTrigger({ InterpretResponse: true })?.directive).toBe("Be brief.");
  expect(firstTrigger({ interpretResponse: false })?.directive).toBeUndefined();
  expect(firstTrigger({ InterpretResponse: false })?.directive).toBeUndefined();
  expect(firstTrigger({ webhook: { ...webhook, responseDirective: "" } })?.directive).toBeUndefined();
});

it("passes the declared names to the template engine", () => {
  const changes = { webhook: { ...webhook, url: "https://shop.example/?size=$size_x&key=$key_x" } };
  const sources = {
    system: { "session.id": "s", "company.id": "c", "assistant.id": "a" },
    images: [],
    secrets: { key: "secret" },
    declared: ["size"],
    arguments: {},
    clientData: {},
  };
  expect(firstTrigger(changes, { key: "secret" })?.webhook.render(sources)).toMatchObject({
    request: { url: "https://shop.example/?size=_x&key=secret_x" },
  });
});

it("lists the problems of shape, schema, template and names together, each with its path", () => {
  const config = {
    ...smallest,
    model: "",
    triggers: [
      { ...trigger, parameters: { properties: { size: { type: "strng" } } }, webhook: { ...webhook, url: "ftp://a/" } },
      trigger,
      { ...trigger, webhok: webhook },
      { ...trigger, name: "other", webhook: { ...webhook, method: "PATCH", url: "ftp://a/" } },
    ],
  };
  expect(problemsOf(config)).toEqual([
    "triggers.2.webhok: is not a member of a trigger. Did you mean webhook?",
    "model: is empty. Give at least one character.",
    'triggers.3.webhook.method: must be one of "GET", "POST", "PUT", "DELETE".',
    "triggers.1.name: is also the name of triggers.0. Give each trigger a unique name.",
    "triggers.2.name: is also the name of triggers.0. Give each trigger a unique name.",
    expect.stringMatching(
      /^triggers\.0\.parameters\.properties\.size\.type: is not a valid JSON Schema\. Instance does not match any of \["array"/,
    ),
    expect.stringMatching(/^triggers\.0\.webhook\.url, character 1: /),
  ]);
  expect(() => parseAssistant(config)).toThrow(
    /^The assistant is invalid:\n- triggers\.2\.webhok: .*\n- model: [\s\S]*\n- triggers\.0\.webhook\.url/,
  );
});

it("requires a signing secret that is configured and has a valid form", () => {
  const signed = { webhook: { ...webhook, signingSecret: "sign" } };
  const path = "triggers.0.webhook.signingSecret: ";
  expect(problemsOf(withTrigger(signed))).toEqual([
    `${path}names the secret "sign", which is not among \`secrets\`. Add it there.`,
  ]);
  expect(problemsOf(withTrigger({ webhook: { ...webhook, signingSecret: "toString" } }))).toEqual([
    `${path}names the secret "toString", which is not among \`secrets\`. Add it there.`,
  ]);
  for (const sign of ["MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_", "whsec_a b c"]) {
    const problems = problemsOf(withTrigger(signed, { sign }));
    expect(problems).toEqual([`${path}the secret "sign" cannot sign. Make it whsec_ followed by base64.`]);
  }
  expect(firstTrigger(signed, { sign: "whsec_MfKQ9r8GKYqrTwjU" })?.signingSecret).toBe("whsec_MfKQ9r8GKYqrTwjU");
});

it.each([
  ["images", "the system"],
  ["images[2]", "the system"],
  ["session.id", "the system"],
  ["key", "a secret"],
])("rejects a parameter named %s, whose value would never be used", (name, owner) => {
  const changes = { parameters: { properties: { [name]: {} } } };
  expect(problemsOf(withTrigger(changes, { key: "secret" }))).toEqual([
    `triggers.0.parameters.properties.${name}: has the name of a variable of ${owner}, which would always win. Rename it.`,
  ]);
});

it("keeps no reference that the host could change", () => {
  const config = structuredClone(withTrigger({}));
  const before = assistantOf(config);
  Object.assign(config.triggers[0]?.parameters.properties ?? {}, { color: {} });
  expect(before.triggers.get("t")?.properties).toEqual(["size"]);
  expect(before.triggers.get("t")?.tool.function.parameters).toMatchObject({ properties: { size: {} } });
});

it("parses plain JSON into a configuration", () => {
  const json: unknown = JSON.parse(JSON.stringify(orderAssistant));
  expect(parseAssistant(json)).toEqual(orderAssistant);
});
