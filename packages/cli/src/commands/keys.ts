import { type ApiKey, endOfGrace, type KeyQuery, presentMembers } from "@tollgate/core/store";
import {
  camelCase,
  createKey,
  findKey,
  keyStates,
  listKeys,
  pagesOf,
  revokeKey,
  rotateKey,
  type ShownKey,
  updateKey,
} from "@tollgate/management/operations";
import { type Command, Option } from "commander";
import { type ActorOption, addActorOption, calledBy, example, type Run, reading } from "../command.ts";
import { Failure, orFailure } from "../failure.ts";
import { looksLikeKey } from "../output/printable.ts";
import { type Field, renderFields, type Table } from "../output/table.ts";
import { allItems } from "../pages.ts";
import { misread, type Reader, readChoice, readDuration, readText } from "../readers.ts";
import type { Session } from "../session.ts";
import { addKeyOptions, type KeyOptions, toChanges } from "./key-options.ts";
import { describeSpend } from "./spend.ts";

/** Adds `keys` and its subcommands. */
export function addKeysCommands(program: Command, run: Run): void {
  const keys = program
    .command("keys")
    .description("Create, list, change, rotate and revoke keys.")
    .addHelpText("after", example("keys create --account acme --plan prepaid"));
  addCreate(keys, run);
  addList(keys, run);
  addUpdate(keys, run);
  addRevoke(keys, run);
  addRotate(keys, run);
}

function addCreate(keys: Command, run: Run): void {
  const create = keys
    .command("create")
    .description("Create a key and show it once.")
    .requiredOption("--account <account>", "the account that pays", readText("--account"))
    .requiredOption("--plan <plan>", "the id of a plan of the gateway", readText("--plan"));
  addActorOption(addKeyOptions(create, (reader) => reader))
    .addHelpText(
      "after",
      example(
        "keys create --account acme --plan prepaid",
        "keys create --account acme --plan prepaid --models a,b --requests 100/60 --expires 30d",
        "keys create --account acme --plan prepaid --spend 50 --spend-window month --tag team-a",
      ),
    )
    .action(({ account, plan, actor, ...options }: KeyOptions & ActorOption & Pick<ApiKey, "account" | "plan">) => {
      const body = { account, plan, ...presentMembers(toChanges(options)) };
      return run(async (session) => {
        checkPlan(plan, session.plans);
        await showNewKey(session, await createKey.run(session.context, { ...calledBy(actor), body }));
      });
    });
}

/** Throws for an unknown plan, because the gateway would respond to every request of the key with an error. */
function checkPlan(plan: string, plans: readonly string[] | undefined): void {
  if (plans?.includes(plan) === false) throw misread("--plan", plan, `write one of ${plans.join(", ")}`);
}

/** Shows a new key, the only time that it is shown. `members` are added to the JSON, and `note` to the text. */
function showNewKey(
  session: Session,
  issued: { readonly key: ShownKey; readonly secret: string },
  members: object = {},
  note = "",
): Promise<void> {
  return session.show({ ...camelCase(createKey.answer)(issued), ...members }, () =>
    [
      "The new key. It is shown only now and not stored. Copy it; if you lose it, create another.",
      "",
      `  ${issued.secret}`,
      "",
      renderFields(keyFields(issued.key)) + note,
    ].join("\n"),
  );
}

function addList(keys: Command, run: Run): void {
  keys
    .command("list")
    .description("List keys, oldest first. The keys themselves are never shown.")
    .option("--account <account>", "only the keys of this account", readText("--account"))
    .option("--state <state>", "only active, expired or revoked keys", readChoice("--state", keyStates))
    .addOption(new Option("--active", "the same as --state active").implies({ state: "active" }))
    .option("--search <text>", "only keys with this text in their id, name or last characters", readText("--search"))
    .addHelpText("after", example("keys list --account acme", "keys list --state active --search ci --json"))
    .action(({ account, state, search }: Pick<KeyQuery, "account" | "state" | "search">) =>
      run(async (session) => {
        const query = {
          ...(account === undefined ? {} : { account }),
          ...(state === undefined ? {} : { state }),
          ...(search === undefined ? {} : { q: search }),
        };
        const found = await allItems(pagesOf(listKeys, session.context, { ...reading, query }));
        await session.showItems("keys", listKeys.item, found, table);
      }),
    );
}

const table: Table<ShownKey> = {
  empty: "No keys were found.",
  columns: [
    { title: "ID", text: ({ id }) => id },
    { title: "ENDS", text: ({ last_four }) => last_four },
    {
      title: "STATE",
      text: ({ state, expires_at }) => (state === "active" && expires_at ? `to ${expires_at.slice(0, 10)}` : state),
    },
    { title: "ACCOUNT", truncates: true, text: ({ account }) => account },
    { title: "PLAN", truncates: true, text: ({ plan }) => plan },
    { title: "NAME", truncates: true, text: ({ name }) => name },
  ],
};

function addUpdate(keys: Command, run: Run): void {
  const update = keys
    .command("update")
    .description('Change members of a key. The value "none" removes one. Members that are not named stay as they are.')
    .argument("<id>", "the id of the key, as in `keys list`", readKeyId);
  addActorOption(addKeyOptions(update, orNone).option("--no-log-content", "do not store the content of its requests"))
    .addHelpText(
      "after",
      example(
        "keys update 6e0ab2f4-3f0c-4a61-9d5e-0c1b8d1f2a37 --spend 50 --spend-window month",
        "keys update 6e0ab2f4-3f0c-4a61-9d5e-0c1b8d1f2a37 --requests none --tag team-a",
      ),
    )
    .action((id: string, { actor, ...options }: KeyOptions & ActorOption) => {
      if (Object.keys(options).length === 0) throw nothingToChange;
      return run(async (session) => {
        const key = await orFailure({ resource_not_found: noSuchKey(id) }, async () => {
          const body = toChanges(options, await findKey(session.context, id));
          return updateKey.run(session.context, { ...calledBy(actor), id, body });
        });
        await showKey(session, key, "The key is changed.");
      });
    });
}

const orNone =
  <Value>(reader: Reader<Value>): Reader<Value | false> =>
  (text) =>
    text === "none" ? false : reader(text);

const nothingToChange = new Failure("usage", "There is nothing to change. Pass an option, such as --name <name>.");

/** The failure for an unknown id. `or` adds another possible cause. */
const noSuchKey = (id: string, or = ""): Failure =>
  new Failure("not_found", `There is no key with the id ${JSON.stringify(id)}${or}. See \`tollgate keys list\`.`);

const showKey = (session: Session, key: ShownKey, done: string): Promise<void> =>
  session.show({ key: camelCase(listKeys.item)(key) }, () => `${done}\n\n${renderFields(keyFields(key))}`);

function addRevoke(keys: Command, run: Run): void {
  const revoke = keys
    .command("revoke")
    .description("Revoke a key immediately. Gateways in other processes may accept it for up to 30 s.")
    .argument("<id>", "the id of the key, as in `keys list`", readKeyId);
  addActorOption(revoke)
    .addHelpText("after", example("keys revoke 6e0ab2f4-3f0c-4a61-9d5e-0c1b8d1f2a37"))
    .action((id: string, { actor }: ActorOption) =>
      run(async (session) => {
        const call = { ...calledBy(actor), id };
        const key = await orFailure({ resource_not_found: noSuchKey(id) }, () => revokeKey.run(session.context, call));
        await showKey(session, key, "The key is revoked.");
      }),
    );
}

function addRotate(keys: Command, run: Run): void {
  const rotate = keys
    .command("rotate")
    .description("Create a key with the same permissions and show it once. The old key expires after the grace period.")
    .argument("<id>", "the id of the key to replace, as in `keys list`", readKeyId)
    .requiredOption(
      "--grace <duration>",
      "how long the old key stays valid: 30m, 24h, 7d, or 0",
      readDuration("--grace"),
    );
  addActorOption(rotate)
    .addHelpText("after", example("keys rotate 6e0ab2f4-3f0c-4a61-9d5e-0c1b8d1f2a37 --grace 24h"))
    .action((id: string, { grace, actor }: ActorOption & { readonly grace: number }) =>
      run(async (session) => {
        const ended = noSuchKey(id, ", or it has ended and cannot be rotated");
        const call = { ...calledBy(actor), id, body: { grace_seconds: grace / 1_000 } };
        const issued = await orFailure({ resource_not_found: ended, conflict: ended }, () =>
          rotateKey.run(session.context, call),
        );
        // The new key has the expiry of the old one, so this calculates the end of the old key's grace period.
        const { expires_at } = issued.key;
        const previousEndsAt = endOfGrace(expires_at === null ? {} : { expiresAt: new Date(expires_at) }, grace);
        const note = `\nThe old key expires at ${previousEndsAt.toISOString()}.\n`;
        await showNewKey(session, issued, { previousEndsAt }, note);
      }),
    );
}

/** Reads the id of a key. Throws for a key itself, without quoting it. */
const readKeyId: Reader<string> = (text) => {
  if (!looksLikeKey(text)) return readText("The id of a key")(text);
  throw new Failure(
    "usage",
    "That is a key and not the id of a key. Your shell may have stored it in its history. " +
      "Find its id by its last four characters in `tollgate keys list`.",
  );
};

const keyFields = (key: ShownKey): readonly Field[] => [
  ["id", key.id],
  ["state", key.state],
  ["account", key.account],
  ["plan", key.plan],
  ["name", key.name],
  ["last four", key.last_four],
  ["models", key.models?.join(", ")],
  ["features", key.features?.join(", ")],
  ["dialects", key.dialects?.join(", ")],
  ["scopes", key.scopes?.join(", ")],
  ["limits", key.limits && describeLimits(key.limits)],
  ["spend", key.spend && describeSpend(key.spend)],
  ["tags", key.tags.length === 0 ? undefined : key.tags.join(", ")],
  ["content", key.log_content ? "stored" : undefined],
  ["created", key.created_at],
  ["expires", key.expires_at],
  ["revoked", key.revoked_at],
  ["replaces", key.rotated_from],
];

const describeLimits = ({ requests, tokens, concurrency }: NonNullable<ShownKey["limits"]>): string =>
  [
    ...describeWindow("requests", requests),
    ...describeWindow("tokens", tokens),
    ...(concurrency === null ? [] : [`${concurrency} concurrent requests`]),
  ].join(", ");

const describeWindow = (what: string, window: NonNullable<ShownKey["limits"]>["requests"]): readonly string[] =>
  window === null ? [] : [`${window.limit} ${what} in ${window.window_seconds} s`];
