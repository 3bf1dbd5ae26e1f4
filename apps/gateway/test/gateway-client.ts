/** The database role of every test gateway: it has the rights that `migrate --runtime-role` grants, and no DDL. */
export const RUNTIME_ROLE = 'solegate_runtime';

/** JSON of the shape that a test requested; the test fails if the shape is wrong. */
// biome-ignore lint/suspicious/noExplicitAny: see above
export type Json = any; // oxlint-disable-line typescript/no-explicit-any

/** A GraphQL response over HTTP. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly data: Json;
  readonly errors: readonly {
    readonly message: string;
    readonly extensions: Readonly<Record<string, unknown>>;
  }[];
}

export interface AskOptions {
  readonly variables?: Readonly<Record<string, unknown>>;
  /** Demo user such as `driver-7`. Default: one user with every role. */
  readonly as?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends one GraphQL request over HTTP. */
export async function ask(url: string, query: string, options: AskOptions = {}): Promise<Answer> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/graphql-response+json',
      ...(options.as && { 'x-demo-user': options.as }),
      ...options.headers,
    },
    body: JSON.stringify({ query, variables: options.variables }),
  });
  const { data, errors = [] } = (await response.json()) as Partial<Answer>;
  return { status: response.status, headers: response.headers, data, errors };
}
