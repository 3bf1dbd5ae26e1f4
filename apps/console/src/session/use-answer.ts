import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { client, type GatewayClient } from './gateway-client.js';
import { recoveryCount } from './gateway-state.js';

export interface Answer<T> {
  /** The newest answer; kept while the next one is loading. */
  readonly value: T | undefined;
  /** The error of the newest request; kept while it is repeated, but not while another one is loading. */
  readonly error: unknown;
  reload(): void;
}

export interface AskOptions {
  /** Repeats this long after each answer; paused while the page is hidden. */
  readonly everyMs?: number;
  /** Whether it is not repeated after this error. Default: it is, after any. */
  readonly isFinal?: (error: unknown) => boolean;
}

/**
 * Sends a request when the view opens, when a dependency changes, when another user is chosen, and when the gateway
 * recovers. Answers to older requests are dropped.
 */
export function useAnswer<T>(
  ask: (client: GatewayClient) => Promise<T>,
  dependencies: readonly unknown[],
  { everyMs, isFinal = () => false }: AskOptions = {},
): Answer<T> {
  const [state, setState] = useState<Omit<Answer<T>, 'reload'>>({ value: undefined, error: undefined });
  const [asked, setAsked] = useState(0);
  const question = useRef(ask);
  question.current = ask;
  const asker = client.value;
  const recoveries = recoveryCount.value;

  useEffect(() => {
    setState((before) => (before.error === undefined ? before : { ...before, error: undefined }));
  }, [...dependencies, asker]);

  useEffect(() => {
    let isNewest = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const again = (): void => {
      if (!isNewest || everyMs === undefined) return;
      timer = setTimeout(() => {
        if (document.visibilityState === 'hidden') again();
        else void answer();
      }, everyMs);
    };
    const answer = async (): Promise<void> => {
      try {
        const value = await question.current(asker);
        if (isNewest) setState({ value, error: undefined });
      } catch (error) {
        if (isNewest) setState(({ value }) => ({ value, error }));
        if (isFinal(error)) return;
      }
      again();
    };
    void answer();
    return () => {
      isNewest = false;
      clearTimeout(timer);
    };
  }, [...dependencies, asker, recoveries, asked]);

  const reload = useCallback(() => setAsked((count) => count + 1), []);
  return { ...state, reload };
}
