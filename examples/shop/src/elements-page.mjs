import { defineElements } from "@tollgate/elements";

defineElements({ texts: { available: "Your credit" } });

for (const element of document.querySelectorAll("tollgate-balance, tollgate-usage")) {
  element.token = async () => (await fetch("/browser-token")).text();
}
