/** The decision whether a stream is answered with 200 or with an error, made once. */
export class ResponseStartGate {
  readonly promise: Promise<void>;
  #isOpen = false;
  #resolve: () => void = nothing;
  #reject: (error: unknown) => void = nothing;

  constructor() {
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** True once status and headers have gone out. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  open(): void {
    this.#isOpen = true;
    this.#resolve();
    this.#letGo();
  }

  reject(error: unknown): void {
    this.#reject(error);
    this.#letGo();
  }

  /** The two would keep the promise for as long as the stream flows. */
  #letGo(): void {
    this.#resolve = nothing;
    this.#reject = nothing;
  }
}

function nothing(): void {}
