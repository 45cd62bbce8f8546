const words = ["a", "0", "f", "request", "trace", "req-", "msg-", "sk-", "Bearer", "[removed]", "a@", "http://", "-a1"];
const marks = [".", "-", "_", "/", "\\", ":", "@", "*", " ", "'", "=", "?", ")"];
/** Candidates for slow text: the parts that the regular expressions match, alone and followed by a mark. */
const pieces = [...words, ...marks, ...[...words, ...marks].flatMap((word) => marks.map((mark) => word + mark))];

/**
 * Returns the time of one text of 3,840 characters divided by that of eight with 480: about 1 for linear time, 8 for
 * quadratic. Texts are `scale` times as long. It uses the fastest of several runs, which other load on the machine affects
 * least, and measures again what is not linear.
 */
export function growth(
  work: (text: string) => unknown,
  [start, piece, end]: readonly [string, string, string],
  scale = 1,
): number {
  const text = (length: number) => `${start}${piece.repeat((scale * length) / piece.length)}${end}`;
  const [long, short] = [text(3_840), text(480)];
  if (fastestRun(() => work(long), 2) < negligibleMs) return 0;
  const eightTimes = () => {
    for (let time = 0; time < 8; time++) work(short);
  };
  let least = Number.POSITIVE_INFINITY;
  // Quadratic time shows in every measurement, other load only in some.
  for (const runs of [4, 8, 8]) {
    least = Math.min(least, fastestRun(() => work(long), runs) / fastestRun(eightTimes, runs));
    if (least < linear) break;
  }
  return least;
}

/** The growth above which a text takes more than linear time. */
export const linear = 4;

/** Far more than the text takes in linear time, and far less than in quadratic time. */
const negligibleMs = 1;

function fastestRun(work: () => void, runs: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run++) {
    const begun = performance.now();
    work();
    least = Math.min(least, performance.now() - begun);
  }
  return least;
}

/** The pieces whose repetition takes more than linear time. */
export const slowPieces = (work: (text: string) => unknown, start = "") =>
  pieces.filter((piece) => ["", " x"].some((end) => growth(work, [start, piece, end]) > linear));
