import { missingVariables, type PublicApp } from "./choices.ts";

const documentation = "https://github.com/tollgate/tollgate/blob/main";

/** The page that shows how to install packages of Tollgate. */
export const installationPage: string = `${documentation}/docs/guides/installation.md`;

/** Returns the README of an app. */
export function writeReadme(app: PublicApp): string {
  const { name, language } = app;
  return `# ${name}

An LLM gateway with [Tollgate](https://github.com/tollgate/tollgate). It needs Node 20.19 or newer.

${preparations(app)}\`\`\`sh
npm install
npm start
\`\`\`

[Installation](${installationPage}) shows how to install packages of Tollgate.
It prints the URL of the dashboard, whose password is \`DASHBOARD_PASSWORD\` in \`.env\`, and ${keyHint(app)}. Set \`KEY\` to this key, and send a first request:

\`\`\`sh
curl http://127.0.0.1:8787/router/v1/chat/completions -H "Authorization: Bearer $KEY" \\
  -H "Content-Type: application/json" -d '{"model": "acme-small", "messages": [{"role": "user", "content": "Hi"}]}'
\`\`\`

Any OpenAI client works with the base URL \`http://127.0.0.1:8787/router/v1\`. In the dashboard you can create more accounts
and keys, credit balances, and see the usage.

The settings are in \`.env\`, which is not in Git. After a clone, copy \`.env.example\` to \`.env\`, and set every variable;
\`DASHBOARD_PASSWORD\` has at least 8 characters. \`npm run dev\` restarts the app when a file changes.${language === "ts" ? " `npm run typecheck` checks the types." : ""}

| file                 | content                                        |
| -------------------- | ---------------------------------------------- |
| \`src/main.${language}\`        | the server, with the gateway and the dashboard |
| \`src/gateway.${language}\`     | models, prices and plans                       |
| \`src/provider.${language}\`    | what answers requests                          |
| \`src/stores.${language}\`      | where keys, balances and usage are kept        |
| \`src/dashboard.${language}\`   | the dashboard and its login                    |
| \`src/first-key.${language}\`   | the first account, its balance and its key     |
| \`src/run.${language}\`         | start and stop                                 |
| \`src/environment.${language}\` | reads the variables of \`.env\`                  |

Next: [providers and routing](${documentation}/docs/guides/providers-and-routing.md),
[keys and money](${documentation}/docs/guides/keys-and-money.md),
[stores and scaling](${documentation}/docs/guides/stores-and-scaling.md),
[deployment](${documentation}/docs/deployment/README.md).
`;
}

const keyHint = ({ store }: PublicApp): string =>
  store === "memory" ? "an API key, which is new at each start" : "at the first start an API key";

function preparations(app: PublicApp): string {
  const missing = missingVariables(app).map((name) => `Set \`${name}\` in \`.env\`.\n\n`);
  return [...missing, ...(app.store === "postgres" ? [postgres] : [])].join("");
}

const postgres = `The app uses the PostgreSQL server at \`DATABASE_URL\` in \`.env\`, and creates its tables. To start one:

\`\`\`sh
docker run --detach --publish 127.0.0.1:5432:5432 --env POSTGRES_PASSWORD=postgres postgres:18
\`\`\`

`;
