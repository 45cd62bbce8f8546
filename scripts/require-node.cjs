// Ends with one line if this Node is too old. Old syntax, so that every Node can read it.
var minimum = require("../package.json").engines.node.replace(">=", "");
var isOlder = process.versions.node.localeCompare(minimum, "en", { numeric: true }) < 0;
if (isOlder) {
  console.error(
    `Tollgate needs Node ${minimum} or newer; this is Node ${process.versions.node}. Install it from https://nodejs.org`,
  );
  process.exit(1);
}
