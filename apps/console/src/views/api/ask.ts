import { Kind, type OperationDefinitionNode, parse } from 'graphql';
import { credentials } from '../../session/identity.js';

export interface Question {
  readonly query: string;
  /** JSON, or blank. */
  readonly variables: string;
  /** Selects the operation at this position, if there are several. */
  readonly cursor: number;
}

export interface Reply {
  readonly status: number;
  /** Time from the request to its response, or to the newest event. */
  readonly tookMs: number;
  /** Number of events of a subscription so far; undefined for other operations. */
  readonly eventCount?: number;
  readonly text: string;
}

/** Older events of a subscription are dropped. */
const EVENTS_SHOWN_MAX = 20;

/**
 * Sends an operation as it was typed; the client package has only predefined ones. A query or mutation yields one
 * reply, a subscription one per event, with the newest events first.
 *
 * @throws SyntaxError for variables that are not JSON, TypeError if the gateway does not respond
 */
export async function* ask(question: Question, signal: AbortSignal): AsyncGenerator<Reply> {
  const { query, variables } = question;
  const meant = operationAt(question);
  const isSubscription = meant?.operation === 'subscription';
  const startedAt = performance.now();
  const response = await fetch('/graphql', {
    method: 'POST',
    signal,
    headers: {
      'content-type': 'application/json',
      accept: isSubscription ? 'text/event-stream' : 'application/json',
      ...credentials(),
    },
    body: JSON.stringify({
      query,
      variables: variables.trim() === '' ? undefined : (JSON.parse(variables) as unknown),
      operationName: meant?.name?.value,
    }),
  });
  const { status } = response;
  const since = (): number => performance.now() - startedAt;
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  if (!isStream || response.body === null) {
    const text = indented(await response.text());
    yield { status, tookMs: since(), text };
    return;
  }
  let shown: readonly string[] = [];
  let eventCount = 0;
  yield { status, tookMs: since(), eventCount, text: '' };
  for await (const event of eventsOf(response.body)) {
    shown = [indented(event), ...shown].slice(0, EVENTS_SHOWN_MAX);
    eventCount += 1;
    yield { status, tookMs: since(), eventCount, text: shown.join('\n') };
  }
}

/** The operation at the cursor, else the first; undefined if the text cannot be parsed. */
function operationAt({ query, cursor }: Question): OperationDefinitionNode | undefined {
  try {
    const operations = parse(query).definitions.filter(
      (definition) => definition.kind === Kind.OPERATION_DEFINITION,
    );
    const here = operations.find(({ loc }) => loc !== undefined && loc.start <= cursor && cursor <= loc.end);
    return here ?? operations[0];
  } catch {
    return undefined;
  }
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** The data of each "next" event of a server-sent event stream. */
async function* eventsOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const frames = (rest + value).split('\n\n');
    rest = frames.pop() ?? '';
    for (const frame of frames) {
      const data = /^event: ?next$/m.test(frame) ? /^data: ?(.*)$/m.exec(frame)?.[1] : undefined;
      if (data !== undefined) yield data;
    }
  }
}
