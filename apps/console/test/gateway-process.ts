import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../gateway/dist/main.js', import.meta.url));
/** A series that every demo gateway has. */
export const DEMO_SERIES = {
  projectCode: 'DEMO',
  organizationCode: 'TEAM',
  typeCode: 'RFA',
  disciplineCode: 'STR',
};

const READY = /ready at http:\/\/[^:]+:(\d+)\/graphql/;

/** A built gateway as `npm start` runs it, which can be ended and started again on the same port. */
export class GatewayProcess implements AsyncDisposable {
  #child: ChildProcess | undefined;
  #port = 0;

  private constructor(private readonly environment: Readonly<Record<string, string>>) {}

  /** @param environment the stores, and further settings */
  static async start(environment: Readonly<Record<string, string>>): Promise<GatewayProcess> {
    const gateway = new GatewayProcess(environment);
    await gateway.start();
    return gateway;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Starts it again, where it was. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, [MAIN], {
      env: { HOST: '127.0.0.1', LOG_LEVEL: 'fatal', ...this.environment, PORT: String(this.#port) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#child = child;
    const exited = once(child, 'exit');
    let output = '';
    while (!READY.test(output)) {
      const [said] = await Promise.race([once(child.stdout, 'data'), exited]);
      if (child.exitCode !== null) throw new Error(`the gateway ended: ${output}`);
      output += String(said);
    }
    child.stdout.resume();
    this.#port = Number(READY.exec(output)?.[1]);
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop('SIGKILL');
  }

  /** Issues numbers of one series at once. */
  async issue(input: typeof DEMO_SERIES & { readonly count: number; readonly date?: string }): Promise<void> {
    const otherPeriod = input.date !== undefined;
    await this.ask(
      'mutation ($input: IssueDocumentNumbersInput!) { issueDocumentNumbers(input: $input) { __typename } }',
      { variables: { input: { ...input, otherPeriod } } },
    );
  }

  /** One GraphQL request, as the demo user or with the headers that are given. */
  async ask<Data>(
    query: string,
    options: { readonly variables?: object; readonly headers?: Readonly<Record<string, string>> } = {},
  ): Promise<Data> {
    const response = await fetch(`${this.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...options.headers },
      body: JSON.stringify({ query, variables: options.variables }),
    });
    const { data, errors } = (await response.json()) as { data: Data; errors?: unknown };
    if (errors !== undefined) throw new Error(JSON.stringify(errors));
    return data;
  }
}
