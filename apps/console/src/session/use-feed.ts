import { useEffect, useRef, useState } from 'preact/hooks';
import { client, type GatewayClient } from './gateway-client.js';
import { recoveryCount } from './gateway-state.js';

export interface Feed<Event> {
  /** Since the view opened, oldest first. */
  readonly events: readonly Event[];
  /** The error that ended the feed. */
  readonly error: unknown;
}

/**
 * Subscribes for as long as the view is open; starts over when a dependency changes, when another user is chosen, and
 * when the gateway recovers.
 */
export function useFeed<Event>(
  open: (client: GatewayClient) => AsyncIterableIterator<Event>,
  dependencies: readonly unknown[],
): Feed<Event> {
  const [feed, setFeed] = useState<Feed<Event>>({ events: [], error: undefined });
  const opener = useRef(open);
  opener.current = open;
  const asker = client.value;
  const recoveries = recoveryCount.value;

  useEffect(() => {
    let isWatching = true;
    setFeed({ events: [], error: undefined });
    const events = opener.current(asker);
    const watch = async (): Promise<void> => {
      for await (const event of events) {
        if (!isWatching) return;
        setFeed((before) => ({ events: [...before.events, event], error: undefined }));
      }
    };
    watch().catch((error: unknown) => {
      if (isWatching) setFeed((before) => ({ ...before, error }));
    });
    return () => {
      isWatching = false;
      void events.return?.();
    };
  }, [...dependencies, asker, recoveries]);

  return feed;
}
