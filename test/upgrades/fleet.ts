import { setTimeout as sleep } from "node:timers/promises";
import { GatewayChild } from "../soak/gateway/gateway-child.ts";
import type { GatewayTask, Sample } from "../soak/gateway/gateway-task.ts";
import type { Load } from "../soak/load/load.ts";

/** The programs of a release and of the present state. */
export interface Programs {
  readonly old: string;
  readonly new: string;
}

/** The processes of a host that is upgraded. */
export class Fleet {
  /** The processes that get requests. */
  readonly serving: GatewayChild[] = [];
  /** The state of each process after its drain. */
  readonly drained: Sample[] = [];
  #started = 0;

  constructor(
    private readonly programs: Programs,
    private readonly task: GatewayTask,
  ) {}

  /** Starts a process of a version, which gets requests from now on. */
  async start(version: keyof Programs, migrate: boolean): Promise<GatewayChild> {
    this.#started += 1;
    const name = `${version}-${this.#started}`;
    const child = await GatewayChild.start(name, this.programs[version], { ...this.task, migrate });
    this.serving.push(child);
    return child;
  }

  /** Waits until one of the processes has reported a notice. The outbox is read every few seconds. */
  async untilNotified(): Promise<void> {
    const reported = async () => [...this.drained, ...(await Promise.all(this.serving.map((child) => child.sample())))];
    while ((await reported()).every(({ notices }) => notices.length === 0)) await sleep(20);
  }

  /** Lets a process end its requests. It gets no more. */
  async retire(child: GatewayChild): Promise<void> {
    this.serving.splice(this.serving.indexOf(child), 1);
    this.drained.push(await child.drain());
  }

  /** Kills what is left. */
  async kill(): Promise<void> {
    await Promise.all(this.serving.splice(0).map((child) => child.kill()));
  }
}

/** Waits until each of the processes has given some more whole answers. */
export async function untilAnswered(load: Load, children: readonly GatewayChild[], count: number): Promise<void> {
  const answersOf = (name: string) =>
    load.records.filter(({ gateway, outcome }) => gateway === name && outcome.kind === "whole").length;
  const wanted = children.map(({ name }) => ({ name, count: answersOf(name) + count }));
  while (wanted.some(({ name, count: most }) => answersOf(name) < most)) await sleep(20);
}
