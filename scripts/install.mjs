// Installs the dependencies. The other commands do so too.
import "./require-node.cjs";
import { installDependencies } from "./workspace/install-dependencies.mjs";

installDependencies();
