import { render } from "preact";
import { LocationProvider } from "preact-iso/router";
import { App } from "./shell/app.tsx";

const root = document.getElementById("page");
if (root !== null) {
  render(
    <LocationProvider>
      <App />
    </LocationProvider>,
    root,
  );
}
