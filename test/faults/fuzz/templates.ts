import fc from "fast-check";
import { compileWebhook } from "../../../packages/assistants/src/webhook/compile-webhook.ts";
import { anyVariables } from "../../../packages/assistants/test-support/any-variables.ts";
import { fuzzed } from "./fuzz.ts";
import { mutated } from "./mutated.ts";
import { verify } from "./verify.ts";

const names = { properties: ["ab", "optional"], secrets: ["key"] };
const text = (...corpus: readonly string[]) =>
  mutated(fc.constantFrom(...corpus)).map((bytes) => new TextDecoder().decode(bytes));

const templates = fc.record({
  url: text(
    "https://a.example/x/$a/$user.name?q=$b&list=$list[0]",
    "https://$a.example:8080/$" + "{ab}#$session.id",
    "http://[::1]/?$a=$key",
  ),
  header: text("Bearer $key", "$list $b", "<$" + "{a}|$user.name>"),
  body: text(
    '{"urls": $images}',
    '{"a":$a,"k$a":"$ab/$a","list":[$list[0],$user.name, $b ]}',
    '[[$a],{"b":$b},"$list","$" ]',
    '{"__proto__":{"x":$a},"o":$optional}',
  ),
  data: anyVariables,
});

fuzzed("a template is refused when it is compiled or rendered, or makes a URL, headers and JSON", () => ({
  title: "templates",
  inputs: templates,
  take({ url, header, body, data }) {
    const headers = [{ key: "x-a", value: header }];
    const compiled = compileWebhook({ type: "WEBHOOK", method: "POST", url, headers, body }, names);
    if ("problems" in compiled) return;
    const rendering = compiled.webhook.render({
      system: { "session.id": "S", "company.id": "C", "assistant.id": "A" },
      images: ["https://i.example/0"],
      secrets: { key: "sk-12345" },
      declared: names.properties,
      arguments: {},
      clientData: data,
    });
    if (rendering.outcome === "refused") return;
    const { request } = rendering;
    verify(/^https?:$/.test(new URL(request.url).protocol), "The protocol is HTTP", request.url);
    for (const [, value] of request.headers)
      verify(!/\p{Control}/u.test(value), "A header has no control characters", value);
    if (request.body !== undefined) JSON.parse(request.body);
  },
}));
