import { createRequire } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';

const ANSWER_WITHIN_MS = 20_000;
const TRIES_MAX = 5;
const RETRY_WITHIN_MS = 400;

/** The documents of the client, which a gateway that runs trusted documents only knows by ID. */
const { operations } = createRequire(import.meta.url)('@solegate/client/documents.json') as {
  readonly operations: readonly { readonly name: string; readonly id: string; readonly body: string }[];
};

type Data = Readonly<Record<string, unknown>>;

/** A mutation of the client, and its input. */
interface DemoCall {
  readonly name: 'AcceptTrip' | 'CompleteTrip' | 'IssueDocumentNumber' | 'RequestTrip' | 'StartTrip';
  readonly input: object;
}

/** A call as a demo user, who needs no token. @throws if it was refused, or got no answer */
async function call(url: string, user: string, { name, input }: DemoCall): Promise<Data> {
  const document = operations.find((one) => one.name === name);
  const body = { documentId: document?.id, query: document?.body, variables: { input } };
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-demo-user': user },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  });
  const { data } = (await response.json()) as { readonly data?: Data | null };
  if (!data) throw new Error('the call was refused');
  return data;
}

/** Repeats a call that is safe to repeat until it gets an answer; undefined if it gets none. */
export async function answerOf(url: string, user: string, mutation: DemoCall): Promise<Data | undefined> {
  for (let attempt = 1; attempt <= TRIES_MAX; attempt += 1) {
    try {
      return await call(url, user, mutation);
    } catch {
      await pause(Math.random() * RETRY_WITHIN_MS);
    }
  }
  return undefined;
}
