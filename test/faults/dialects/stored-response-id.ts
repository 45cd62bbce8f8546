/** Returns the id of a response that says that it is stored. The last event of a stream has the response. */
export function storedResponseId(text: string): string | undefined {
  const json = text.startsWith("{") ? text : text.slice(text.lastIndexOf("\ndata: ") + "\ndata: ".length);
  if (!json.startsWith("{")) return undefined;
  const data = JSON.parse(json);
  const { id, store } = data.response ?? data;
  return store === true ? String(id) : undefined;
}
