import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Answer, type AskOptions, ask, RUNTIME_ROLE } from './gateway-client.js';

/** What `npm start` becomes: the build, which a test run brings up to date first. */
export const GATEWAY_MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));
/** Several processes start at once, on a machine that may have two cores. */
const START_MAX_MS = 80_000;
const READY = /ready at (http:\/\/\S+)\/graphql/;

/** A gateway as `npm start` runs it: a process with an environment, a banner, signals and an exit code. */
export class GatewayProcess implements AsyncDisposable {
  #output = '';

  private constructor(
    private readonly child: ChildProcess,
    readonly exited: Promise<number | null>,
  ) {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.#output += chunk.toString();
      });
    }
  }

  /** @param command default: to serve, as a role that may not change tables; without a database, on an embedded one */
  static spawn(
    environment: Readonly<Record<string, string>>,
    command: readonly string[] = environment.DATABASE_URL === undefined ? [] : ['serve'],
  ): GatewayProcess {
    const { username } = new URL(environment.DATABASE_URL ?? `postgres://${RUNTIME_ROLE}@embedded`);
    if (command.includes('serve') && username !== RUNTIME_ROLE) {
      throw new Error(`gateways of the tests run as ${RUNTIME_ROLE}; see asRuntimeRole`);
    }
    const child = spawn(process.execPath, [GATEWAY_MAIN, ...command], {
      env: { PORT: '0', LOG_LEVEL: 'info', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const exited = once(child, 'exit').then((ended): number | null => ended[0]);
    return new GatewayProcess(child, exited);
  }

  /** Spawns and waits for the banner. */
  static async start(environment: Readonly<Record<string, string>>): Promise<GatewayProcess> {
    const gateway = GatewayProcess.spawn(environment);
    const tooLate = setTimeout(() => gateway.signal('SIGKILL'), START_MAX_MS);
    await gateway.ready();
    clearTimeout(tooLate);
    return gateway;
  }

  /** Everything it has printed. */
  get output(): string {
    return this.#output;
  }

  get url(): string {
    const url = READY.exec(this.#output)?.[1];
    if (url === undefined) throw new Error(`no banner yet: ${this.#output}`);
    return url;
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  async ready(): Promise<void> {
    while (!READY.test(this.#output)) {
      const ended = await Promise.race([once(this.child.stdout ?? this.child, 'data'), this.exited]);
      if (!Array.isArray(ended)) throw new Error(`the gateway ended with ${ended}: ${this.#output}`);
    }
  }

  ask(query: string, options?: AskOptions): Promise<Answer> {
    return ask(this.url, query, options);
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill('SIGKILL');
    await this.exited;
  }
}
