import { Connection } from "./connection.ts";
import { encodeRequest, type Target } from "./request.ts";

/** Streams that stay open and silent after their first content. */
export interface IdleStreams {
  readonly kind: "idle-streams";
  readonly target: Target;
  readonly count: number;
}

/** Opens the streams and resolves with a function that closes them, once each has had its first frame. */
export async function openIdleStreams(load: IdleStreams): Promise<() => void> {
  const request = encodeRequest(load.target, "sse-held");
  const connections: Connection[] = [];
  await new Promise<void>((resolve, reject) => {
    let waiting = load.count;
    const onFirstFrame = () => {
      waiting--;
      if (waiting === 0) resolve();
    };
    for (let index = 0; index < load.count; index++) {
      const connection = new Connection(load.target.port, onFirstFrame);
      connections.push(connection);
      connection.send(request, ({ status }) => reject(new Error(`An idle stream ended with status ${status}.`)));
    }
  });
  return () => {
    for (const each of connections) each.close();
  };
}
