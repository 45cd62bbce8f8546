import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Journal } from "./journal.ts";
import type { Life } from "./killed-workers.ts";
import { type MoveMutation, mutationOf } from "./move-mutations.ts";
import { openShards, type ShardUrls } from "./open-shards.ts";
import { readTask } from "./task.ts";

/** The task of a process that moves accounts until it is killed. */
export interface MoveTask {
  readonly urls: ShardUrls;
  readonly moving: readonly string[];
  readonly mutation?: MoveMutation | undefined;
}

/** A move as the worker recorded it. */
export interface MoveCall {
  readonly account: string;
  readonly to: string;
}

/** The result of a move. */
export interface MoveAnswer {
  readonly frozenMs?: number;
  readonly error?: string;
}

const task = readTask<MoveTask & Life>();
const any = (names: readonly string[]): string => names[randomInt(names.length)] ?? "";

async function moveForEver(): Promise<void> {
  const { stores } = await openShards(task.urls, mutationOf(task.mutation));
  const journal = new Journal<MoveCall, MoveAnswer>(task.journal);
  for (;;) {
    const call = { account: any(task.moving), to: any(Object.keys(task.urls)) };
    const move = async (): Promise<MoveAnswer> => {
      try {
        const { from, frozenMs } = await stores.shards.move(call.account, call.to);
        return from === call.to ? {} : { frozenMs };
      } catch (error) {
        return { error: String(error) };
      }
    };
    await journal.record(call, move, (answer) => answer);
    await sleep(randomInt(50));
  }
}

void moveForEver();
