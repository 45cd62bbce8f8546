import { afterEach, describe, expect, it } from "vitest";
import { type AssistantUnderTest, assistantUnderTest } from "../support/assistant-under-test.ts";

let under: AssistantUnderTest;

afterEach(() => under.close());

const [one, two, three] = [
  "https://images.example/1.png",
  "http://images.example/2.png",
  "data:image/png;base64,iVBORw0KGgo=",
];
const text = (value: string) => ({ type: "text", text: value });
const image = (url: unknown, more: object = {}) => ({ type: "image_url", image_url: { url, ...more } });

const ordering = () =>
  under.think((_request, call) =>
    call % 2 === 1 ? { calls: [["place_order", { item: "pen" }]] } : { content: "Ordered." },
  );

describe("a message with content parts", () => {
  it("is sent to the model unchanged, and its images precede those of `images` in the variables", async () => {
    under = await assistantUnderTest();
    ordering();
    const content = [text("Like this?"), image(one, { detail: "low" }), text("Or this?"), image(two)];
    const id = await under.session();
    expect((await under.say(id, { content, images: [three] })).status).toBe(200);
    expect(under.provider.calls[0]?.request.messages.at(-1)).toEqual({
      role: "user",
      content: [...content, image(three)],
    });
    expect(JSON.parse(under.target.received[0]?.body ?? "").pictures).toEqual([one, two, three]);
    expect((await under.say(id, { content: [image(one)] })).status).toBe(200);
    expect(JSON.parse(under.target.received[1]?.body ?? "").pictures).toEqual([one, two, three, one]);
  });

  it.each([
    [{ content: [] }, "content"],
    [{ content: ["Hello"] }, "content.0"],
    [{ content: [text("a"), { type: "input_audio", input_audio: {} }] }, "content.1.type"],
    [{ content: [{ text: "a" }] }, "content.0.type"],
    [{ content: [{ type: "text" }] }, "content.0.text"],
    [{ content: [{ type: "text", text: 5 }] }, "content.0.text"],
    [{ content: [{ ...text("a"), cache_control: {} }] }, "content.0.cache_control"],
    [{ content: [{ type: "image_url" }] }, "content.0.image_url"],
    [{ content: [{ type: "image_url", image_url: one }] }, "content.0.image_url"],
    [{ content: [image(5)] }, "content.0.image_url.url"],
    [{ content: [image("file:///etc/passwd")] }, "content.0.image_url.url"],
    [{ content: [image(one, { detail: "huge" })] }, "content.0.image_url.detail"],
    [{ content: { text: "a" } }, "content"],
    [{ content: null }, "content"],
    [{ images: ["x"] }, "images.0"],
    [{ images: [one, "ftp://images.example/1"] }, "images.1"],
    [{ images: ["data:text/html,<b>"] }, "images.0"],
    [{ images: [""] }, "images.0"],
    [{ images: [{ url: one }] }, "images.0"],
    [{ images: Array.from({ length: 101 }, () => one) }, "images"],
    [{ content: Array.from({ length: 101 }, () => image(one)) }, "content"],
    [{ content: Array.from({ length: 1_001 }, () => text("a")) }, "content"],
  ])("is rejected with the invalid field: %.60j", async (body, param) => {
    under = await assistantUnderTest();
    const response = await under.say(await under.session(), body);
    expect(response.status).toBe(400);
    expect((await response.json()).error).toMatchObject({ code: "invalid_request", param });
    expect(under.provider.calls).toEqual([]);
  });
});

describe("the images of a session", () => {
  it("have a limit in bytes; messages over it are rejected, and others are still accepted", async () => {
    under = await assistantUnderTest({ assistants: { turns: { imageBytes: 5_000 } } });
    under.think(() => ({ content: "Seen." }));
    const picture = `data:image/png;base64,${"A".repeat(3_000)}`;
    const id = await under.session();
    expect((await under.say(id, { images: [picture] })).status).toBe(200);
    const rejected = await under.say(id, { images: [picture] });
    expect([rejected.status, (await rejected.json()).error]).toEqual([
      413,
      expect.objectContaining({ code: "payload_too_large", param: "images", metadata: { limit_bytes: 5_000 } }),
    ]);
    expect((await under.say(id, { images: [one] })).status).toBe(200);
  });
});
