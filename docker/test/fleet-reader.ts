import { type Client, createClient, type SubscribeOptions } from '@solegate/client';
import { webSockets } from '@solegate/client/websocket';
import { WebSocket } from 'ws';

export interface ReaderOptions {
  readonly token: string;
  /** Default: a WebSocket. */
  readonly channel?: 'events' | 'socket';
  /** Authority of nginx's certificate, for an https URL; PEM. Only with a WebSocket. */
  readonly ca?: string;
}

/** The client of the product, through nginx. */
export function readerOf(url: string, { token, channel = 'socket', ca }: ReaderOptions): Client {
  class TrustingWebSocket extends WebSocket {
    constructor(address: string, protocols: string[]) {
      super(address, protocols, ca === undefined ? {} : { ca });
    }
  }
  const webSocket = webSockets({ implementation: TrustingWebSocket });
  return createClient({ url: `${url}/graphql`, token, ...(channel === 'socket' && { webSocket }) });
}

/** What a subscription has brought so far. */
export interface Followed<Event> {
  readonly events: Event[];
  reconnectCount: number;
  /** Why it ended, if it was refused. */
  error: unknown;
}

/** Reads a subscription until its client is closed. */
export function follow<Event>(
  subscribe: (options: SubscribeOptions) => AsyncIterable<Event>,
): Followed<Event> {
  const followed: Followed<Event> = { events: [], reconnectCount: 0, error: undefined };
  const onReconnect = (): void => {
    followed.reconnectCount += 1;
  };
  const read = async (): Promise<void> => {
    for await (const event of subscribe({ onReconnect })) followed.events.push(event);
  };
  read().catch((error: unknown) => {
    followed.error = error;
  });
  return followed;
}
