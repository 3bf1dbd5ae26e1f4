import { useEffect, useRef, useState } from 'preact/hooks';
import { client, type GatewayClient } from './gateway-client.js';
import { recoveryCount } from './gateway-state.js';

export interface Feed<Event> {
  /** Since the view opened, oldest first. */
  readonly events: readonly Event[];
  /** Whether it has ended, because there is nothing more to come. */
  readonly isOver: boolean;
  /** The error that ended the feed. */
  readonly error: unknown;
}

const BEGUN = { events: [], isOver: false, error: undefined };

/**
 * Subscribes for as long as the view is open; starts over when a dependency changes, when another user is chosen, and
 * when the gateway recovers.
 */
export function useFeed<Event>(
  open: (client: GatewayClient) => AsyncIterableIterator<Event>,
  dependencies: readonly unknown[],
): Feed<Event> {
  const [feed, setFeed] = useState<Feed<Event>>(BEGUN);
  const opener = useRef(open);
  opener.current = open;
  const asker = client.value;
  const recoveries = recoveryCount.value;

  useEffect(() => {
    let isWatching = true;
    setFeed(BEGUN);
    const events = opener.current(asker);
    const watch = async (): Promise<void> => {
      for await (const event of events) {
        if (!isWatching) return;
        setFeed((before) => ({ ...before, events: [...before.events, event] }));
      }
      if (isWatching) setFeed((before) => ({ ...before, isOver: true }));
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
