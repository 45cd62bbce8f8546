import "./templates.ts";
import "./webhook-answers.ts";
import "./scanner.ts";
