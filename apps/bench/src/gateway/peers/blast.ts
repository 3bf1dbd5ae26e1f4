import autocannon from 'autocannon';

/** An order for as many requests as a server can handle, sent from a separate process. */
export interface BlastOrder {
  readonly url: string;
  /** The JSON body of every request. */
  readonly body: string;
  /** Tokens to send in turn. Default: none. */
  readonly tokens?: readonly string[];
  readonly connections: number;
  readonly durationMs: number;
}

export interface BlastAnswer {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p90Ms: number;
  readonly p99Ms: number;
  readonly failedCount: number;
  /** The beginning of the first invalid answer. */
  readonly failure: string | undefined;
  /** Every ID returned. */
  readonly ids: string[];
}

const ID = /"ids":\["(\d+)"\]/;

const HEADERS = { 'content-type': 'application/json' };

/** Needs a process of its own. */
export async function blast({
  url,
  body: sent,
  tokens,
  connections,
  durationMs,
}: BlastOrder): Promise<BlastAnswer> {
  const ids: string[] = [];
  let failedCount = 0;
  let failure: string | undefined;
  const startedMs = performance.now();
  const result = await autocannon({
    url,
    connections,
    duration: durationMs / 1000,
    method: 'POST',
    headers: HEADERS,
    body: sent,
    ...(tokens && {
      requests: tokens.map((token) => ({ headers: { ...HEADERS, authorization: `Bearer ${token}` } })),
    }),
    setupClient: (client) => {
      client.on('body', (body) => {
        const text = body.toString();
        const id = ID.exec(text)?.[1];
        if (id !== undefined) ids.push(id);
        else {
          failedCount += 1;
          failure ??= text.slice(0, 200);
        }
      });
    },
  });
  const elapsedMs = Math.min(performance.now() - startedMs, result.duration * 1000);
  return {
    requestsPerSecond: (ids.length * 1000) / elapsedMs,
    p50Ms: result.latency.p50,
    p90Ms: result.latency.p90,
    p99Ms: result.latency.p99,
    failedCount: failedCount + result.errors,
    failure,
    ids,
  };
}
