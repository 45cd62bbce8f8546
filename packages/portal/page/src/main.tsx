import { read } from "@tollgate/page-kit/api/client.ts";
import { startAt } from "@tollgate/page-kit/state/location.ts";
import { render } from "preact";
import { LocationProvider } from "preact-iso/router";
import { operation } from "./api/operations.ts";
import { App } from "./shell/app.tsx";
import { takeTexts } from "./texts.ts";

const root = document.getElementById("page");
if (root !== null) {
  // Without an answer, the page is shown in English, and says itself what is wrong.
  takeTexts(await read(operation("GET", "/texts")).catch(() => ({})));
  startAt("overview");
  render(
    <LocationProvider>
      <App />
    </LocationProvider>,
    root,
  );
}
