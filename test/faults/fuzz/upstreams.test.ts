import "./streams.ts";
import "./usage.ts";
