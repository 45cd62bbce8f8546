// The program of the page of `elements.test.ts`, which runs in the browser.
import { defineElements, type TollgateElement } from "@tollgate/elements";

// The first token is one that has expired, as one does while a page stays open.
const tokens = ["expired"];
const token = async (): Promise<string> => tokens.pop() ?? (await fetch("/token")).text();

defineElements();
for (const element of document.querySelectorAll<TollgateElement>("tollgate-balance, tollgate-usage")) {
  element.token = token;
}
addEventListener("tollgate-checkout", (event) => {
  event.preventDefault();
  if (event instanceof CustomEvent) document.title = event.detail.url;
});
