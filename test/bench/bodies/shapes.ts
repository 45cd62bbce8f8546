const mebibyte = 1_048_576;

/** A body of a shape that is dear to read, of about so many MiB, or as many as the limits let it have. */
export interface Shape {
  readonly name: string;
  readonly make: (mebibytes: number) => string;
}

const message = '"messages":[{"role":"user","content":"x"}]';
const around = (members: string): string => `{"model":"plain",${members}}`;

/** As many elements as fit, within the limit. */
function list(mebibytes: number, most: number, make: (index: number) => string): string {
  const count = Math.min(most, Math.floor((mebibytes * mebibyte - 200) / (make(10_000).length + 1)));
  return Array.from({ length: count }, (_, index) => make(index)).join();
}

const members = (mebibytes: number): string => list(mebibytes, 49_990, (index) => `"k${index}":${index}`);

/** The shapes, hostile and honest. */
export const shapes: readonly Shape[] = [
  { name: "one long text", make: (size) => around(text("x".repeat(size * mebibyte - 200))) },
  { name: "one long text beyond ASCII", make: (size) => around(text("é".repeat((size * mebibyte) / 2 - 200))) },
  { name: "one long text of escapes", make: (size) => around(text("\\n".repeat((size * mebibyte) / 2 - 200))) },
  { name: "members of metadata", make: (size) => around(`${message},"metadata":{${members(size)}}`) },
  { name: "members of the request", make: (size) => around(`${message},${members(size)}`) },
  {
    name: "members of a message",
    make: (size) => around(`"messages":[{"role":"user","content":"x",${members(size)}}]`),
  },
  {
    name: "members of a function, one toString",
    make: (size) =>
      around(
        `${message},"tools":[{"type":"function","function":{"name":"f","parameters":{},"toString":1,${members(size)}}}]`,
      ),
  },
  {
    name: "members of as many objects as fit",
    make: (size) => around(`${message},"a":[${list(size, 19, () => `{${members(0.7)}}`)}]`),
  },
  {
    name: "messages",
    make: (size) => around(`"messages":[${list(size, 99_990, () => '{"role":"user","content":""}')}]`),
  },
  {
    name: "messages with nulls",
    make: (size) => around(`"messages":[${list(size, 99_990, () => '{"role":"user","content":"","name":null}')}]`),
  },
  { name: "parts", make: (size) => around(parts(list(size, 99_990, () => '{"type":"text","text":""}'))) },
  {
    name: "parts, the last of them wrong",
    make: (size) => around(parts(`${list(size, 99_980, () => '{"type":"text","text":""}')},{"type":"text"}`)),
  },
  {
    name: "parts with cache marks",
    make: (size) =>
      around(parts(list(size, 49_990, () => '{"type":"text","text":"","cache_control":{"type":"ephemeral"}}'))),
  },
  {
    name: "tools",
    make: (size) =>
      around(
        `${message},"tools":[${list(size, 33_000, () => '{"type":"function","function":{"name":"f","parameters":{}}}')}]`,
      ),
  },
  { name: "numbers", make: (size) => around(`${message},"a":[${list(size, 999_000, (index) => `${index / 7}`)}]`) },
  {
    name: "objects of different shapes",
    make: (size) =>
      around(`${message},"a":[${list(size, 99_980, (index) => `{"a${index}":1,"b${index}":2,"c${index}":3}`)}]`),
  },
  {
    name: "objects of nine members, all of different names",
    make: (size) =>
      around(
        `${message},"a":[${list(size, 99_980, (index) => `{${Array.from({ length: 9 }, (_, at) => `"${at}x${index}":1`).join()}}`)}]`,
      ),
  },
  { name: "brackets, over the limit", make: (size) => "[".repeat(size * mebibyte) },
  {
    name: "objects, over the limit",
    make: (size) => around(`${message},"a":[${"{},".repeat((size * mebibyte) / 3 - 99)}{}]`),
  },
  {
    name: "members, over the limit",
    make: (size) => around(`${message},"metadata":{${list(size, 5_000_000, (index) => `"k${index}":0`)}}`),
  },
];

const text = (content: string): string => `"messages":[{"role":"user","content":"${content}"}]`;
const parts = (elements: string): string => `"messages":[{"role":"user","content":[${elements}]}]`;
