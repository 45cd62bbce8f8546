import {
  type ApiKey,
  type Dialect,
  dialects,
  type Feature,
  features,
  type KeyChanges,
  type KeyScope,
  keyScopes,
  type Limits,
  type WindowLimit,
} from "@tollgate/core/store";
import type { Command } from "commander";
import { readChoices, readCount, readFutureTime, readList, readText, readWindow, type WrapReader } from "../readers.ts";
import { addSpendOptions, type SpendOptions, spendOf } from "./spend.ts";

/** The options for the members of a key that can change. False removes a member: commander replaces null. */
export interface KeyOptions extends SpendOptions {
  readonly name?: string | false;
  readonly models?: readonly string[] | false;
  readonly features?: readonly Feature[] | false;
  readonly dialects?: readonly Dialect[] | false;
  readonly scopes?: readonly KeyScope[] | false;
  readonly requests?: WindowLimit | false;
  readonly tokens?: WindowLimit | false;
  readonly concurrency?: number | false;
  readonly tag?: readonly (string | false)[];
  readonly logContent?: boolean;
  readonly expires?: Date | false;
}

/** Adds the options for the members of a key that can change. */
export function addKeyOptions(command: Command, wrap: WrapReader): Command {
  const readTag = wrap(readText("--tag"));
  command
    .option("--name <name>", "a name that identifies the key for people", wrap(readText("--name")))
    .option("--models <ids>", "allow only these models, comma-separated", wrap(readList("--models")))
    .option(
      "--features <names>",
      `allow only these features, comma-separated: ${features.join(", ")}`,
      wrap(readChoices("--features", features)),
    )
    .option(
      "--dialects <names>",
      `allow only these APIs, comma-separated: ${dialects.join(", ")}`,
      wrap(readChoices("--dialects", dialects)),
    )
    .option(
      "--scopes <names>",
      `allow only this, comma-separated: ${keyScopes.join(", ")}`,
      wrap(readChoices("--scopes", keyScopes)),
    )
    .option("--requests <n/seconds>", "limit of requests in a window: 100/60", wrap(readWindow("requests")))
    .option("--tokens <n/seconds>", "limit of tokens in a window: 100000/60", wrap(readWindow("tokens")))
    .option("--concurrency <n>", "limit of concurrent requests", wrap(readCount("--concurrency")));
  return addSpendOptions(command, wrap)
    .option("--tag <tag...>", "labels of the key's usage", (text, tags: readonly (string | false)[] = []) => [
      ...tags,
      readTag(text),
    ])
    .option("--log-content", "store the content of its requests, if the gateway stores content")
    .option(
      "--expires <when>",
      "2027-01-01 (its start in UTC), a timestamp, or 30d",
      wrap(readFutureTime("--expires")),
    );
}

/** Returns the changes that the options request. Limits that are not named stay as they are in `before`. */
export function toChanges(options: KeyOptions, before: Pick<ApiKey, "limits" | "spend"> = {}): KeyChanges {
  const { name, models, features, dialects: apis, scopes, tag, logContent, expires } = options;
  const limits = limitsOf(options, before.limits);
  const spend = spendOf(options, before.spend);
  return {
    ...(name === undefined ? {} : { name: name || null }),
    ...(models === undefined ? {} : { models: models || null }),
    ...(features === undefined ? {} : { features: features || null }),
    ...(apis === undefined ? {} : { dialects: apis || null }),
    ...(scopes === undefined ? {} : { scopes: scopes || null }),
    ...(limits === undefined ? {} : { limits }),
    ...(spend === undefined ? {} : { spend }),
    ...(tag === undefined ? {} : { tags: tagsOf(tag) }),
    ...(logContent === undefined ? {} : { logContent }),
    ...(expires === undefined ? {} : { expiresAt: expires || null }),
  };
}

function limitsOf(options: KeyOptions, before: Limits = {}): Limits | null | undefined {
  if (limitNames.every((name) => options[name] === undefined)) return undefined;
  const { requests, tokens, concurrency } = { ...before, ...options };
  const limits = {
    ...(!requests ? {} : { requests }),
    ...(!tokens ? {} : { tokens }),
    ...(!concurrency ? {} : { concurrency }),
  };
  return Object.keys(limits).length === 0 ? null : limits;
}

const limitNames = ["requests", "tokens", "concurrency"] as const;

function tagsOf(words: readonly (string | false)[]): readonly string[] | null {
  const tags = words.filter((tag) => tag !== false);
  return tags.length === 0 ? null : tags;
}
