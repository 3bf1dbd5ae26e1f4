import { brokenOff, notGraphql, readRetryAfter } from '../contract/failure.js';
import type { GraphqlResult } from '../contract/operation.js';
import {
  ChannelError,
  type SubscriptionChannel,
  type SubscriptionRequest,
} from '../contract/subscription-channel.js';
import type { Settings } from '../wire/client-options.js';
import { readAnswer, readHeaders } from '../wire/post.js';
import { limitTime, orAborted } from '../wire/time-limit.js';

const HEADERS = { accept: 'text/event-stream', 'content-type': 'application/json' };
/** The gateway sends a keep-alive every 8 s. */
const SILENCE_MAX_MS = 20_000;

/** Carries subscriptions as server-sent events: one POST each, as in graphql-sse's "distinct connections" mode. */
export function eventStreams(settings: Settings): SubscriptionChannel {
  return {
    async *open(request, signal) {
      const left = new AbortController();
      const limit = limitTime([signal, left.signal]);
      try {
        const body = await begin(settings, request, limit.signal);
        request.onOpen();
        for await (const { event, data } of framesOf(body, limit.signal)) {
          if (event === 'complete') return;
          if (event === 'next') yield parse(data);
        }
        throw new ChannelError(brokenOff(undefined));
      } finally {
        // Closes the connection in any state.
        left.abort();
        limit.release();
      }
    },
    close() {},
  };
}

async function begin(
  settings: Settings,
  request: SubscriptionRequest,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const limit = limitTime([signal], settings.attemptTimeoutMs);
  try {
    const { headers, failure } = await readHeaders(settings, limit.signal, HEADERS);
    if (headers === undefined) throw new ChannelError(failure);
    const { documentId, query, variables, url } = request;
    const body = JSON.stringify({ documentId, query, variables });
    const sent = settings.fetch(url, { method: 'POST', headers, body, signal });
    const response = await orAborted(sent, limit.signal);
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
    if (response.ok && isStream && response.body !== null) return response.body;
    const retryAfterMs = readRetryAfter(response.headers.get('retry-after'), Date.now());
    const answer = readAnswer(await orAborted(response.text(), limit.signal), response.status, retryAfterMs);
    throw new ChannelError(answer.failure ?? notGraphql(response.status, retryAfterMs));
  } catch (cause) {
    throw cause instanceof ChannelError ? cause : new ChannelError(brokenOff(cause));
  } finally {
    limit.release();
  }
}

interface Frame {
  readonly event: string;
  readonly data: string;
}

async function* framesOf(body: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncGenerator<Frame> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const chunk = await read(reader, signal);
    if (chunk.done) return;
    const frames = (rest + decoder.decode(chunk.value, { stream: true })).split(/\r?\n\r?\n/);
    rest = frames.pop() ?? '';
    yield* frames.map(readFrame);
  }
}

/** @throws ChannelError after silence, or when the connection breaks */
async function read(reader: ReadableStreamDefaultReader<Uint8Array>, signal: AbortSignal) {
  const limit = limitTime([signal], SILENCE_MAX_MS);
  try {
    return await orAborted(reader.read(), limit.signal);
  } catch (cause) {
    throw new ChannelError(brokenOff(cause));
  } finally {
    limit.release();
  }
}

/** @throws ChannelError if it is not JSON: an intermediary has changed it */
function parse(data: string): GraphqlResult {
  try {
    return JSON.parse(data) as GraphqlResult;
  } catch (cause) {
    throw new ChannelError(brokenOff(cause));
  }
}

function readFrame(text: string): Frame {
  const fields = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    // A text can contain the line separators of Unicode, which end no line here.
    const [, name = '', value = ''] = /^([^:]*): ?(.*)$/s.exec(line) ?? [];
    const known = fields.get(name);
    fields.set(name, known === undefined ? value : `${known}\n${value}`);
  }
  return { event: fields.get('event') ?? '', data: fields.get('data') ?? '' };
}
