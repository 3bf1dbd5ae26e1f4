import { type ChildProcess, fork } from 'node:child_process';

/** A call in another process could not be carried out; the cause has the stack of that process, if it gave one. */
class ChildFailedError extends Error {
  readonly code = 'CHILD_FAILED';

  constructor(child: string, message: string, cause?: unknown) {
    super(`${child}: ${message}`, { cause });
    this.name = 'ChildFailedError';
  }
}

/** A call, as it is sent to a child. */
export interface ChildCall {
  readonly name: string;
  readonly args: readonly unknown[];
}

export type ChildAnswer = { readonly result: unknown } | { readonly message: string; readonly stack: string };

type Calls<Module> = Record<keyof Module, (...args: never) => unknown>;

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** A module in a process of its own: its functions are called there, one at a time. The process ends with this one. */
export class Child<Module extends Calls<Module>> implements AsyncDisposable {
  readonly #name: string;
  readonly #process: ChildProcess;
  readonly #ended: Promise<void>;
  #waiting: Waiting | undefined;

  constructor(module: URL, { env = process.env } = {}) {
    this.#name = module.pathname.split('/').at(-1) ?? '';
    const program = new URL('./child-process.js', import.meta.url);
    this.#process = fork(program, [module.href], { env, serialization: 'advanced' });
    this.#process.on('message', (answer: ChildAnswer) => this.#settle(answer));
    this.#ended = new Promise((resolve) => {
      this.#process.once('exit', (code, signal) => {
        this.#waiting?.reject(this.#failure(`ended by ${signal ?? `exit code ${code}`} while working`));
        resolve();
      });
    });
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  call<Name extends keyof Module & string>(
    name: Name,
    ...args: Parameters<Module[Name]>
  ): Promise<Awaited<ReturnType<Module[Name]>>> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve: resolve as Waiting['resolve'], reject };
      this.#process.send({ name, args } satisfies ChildCall, (error) => {
        if (error) reject(this.#failure('no longer accepts calls', error));
      });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.#ended;
  }

  #settle(answer: ChildAnswer): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if ('result' in answer) waiting?.resolve(answer.result);
    else waiting?.reject(this.#failure(answer.message, new Error(answer.stack)));
  }

  #failure(message: string, cause?: unknown): ChildFailedError {
    return new ChildFailedError(this.#name, message, cause);
  }
}
