// One process for several targets, because most of a short run is the import of the gateway.
import "./requests.ts";
import "./authorization.ts";
import "./client-data.ts";
