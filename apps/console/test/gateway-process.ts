import { fileURLToPath } from 'node:url';
import { freePort, ServiceProcess } from '@solegate/testkit';

const MAIN = fileURLToPath(new URL('../../gateway/dist/main.js', import.meta.url));
/** A series that every demo gateway has. */
export const DEMO_SERIES = {
  projectCode: 'DEMO',
  organizationCode: 'TEAM',
  typeCode: 'RFA',
  disciplineCode: 'STR',
};

/** A built gateway as `npm start` runs it, which can be ended and started again on the same port. */
export class GatewayProcess extends ServiceProcess {
  readonly url: string;

  private constructor(port: number, environment: Readonly<Record<string, string>>) {
    const url = `http://127.0.0.1:${port}`;
    super({
      args: [MAIN],
      environment: { HOST: '127.0.0.1', PORT: String(port), LOG_LEVEL: 'fatal', ...environment },
      readyUrl: `${url}/health/ready`,
    });
    this.url = url;
  }

  /** @param environment the stores, and further settings */
  static async start(environment: Readonly<Record<string, string>>): Promise<GatewayProcess> {
    const gateway = new GatewayProcess(await freePort(), environment);
    await gateway.start();
    return gateway;
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
