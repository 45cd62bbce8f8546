/** Sends a request, and asks a person to accept the terms if that is needed first. */
export async function complete(
  url: string,
  init: RequestInit,
  askPerson: (page: string) => Promise<void>,
): Promise<Response> {
  const response = await fetch(url, init);
  if (response.status !== 428) return response;
  const { acceptUrl } = await response.json();
  await askPerson(String(acceptUrl));
  return fetch(url, init);
}
