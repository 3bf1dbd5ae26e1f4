import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { client, type GatewayClient } from './gateway-client.js';
import { recoveryCount } from './gateway-state.js';

export interface Answer<T> {
  /** The newest answer; stays while it is asked again. */
  readonly value: T | undefined;
  /** Why the newest question was not answered. */
  readonly error: unknown;
  readonly isAsking: boolean;
  reload(): void;
}

export interface AskOptions {
  /** Asks again and again, so long after each answer; a page that nobody sees waits. */
  readonly everyMs?: number;
}

/**
 * Asks when the view opens, when what it depends on changes, when another caller is chosen, and when the gateway is back.
 * An answer to an older question is dropped.
 */
export function useAnswer<T>(
  ask: (client: GatewayClient) => Promise<T>,
  dependencies: readonly unknown[],
  { everyMs }: AskOptions = {},
): Answer<T> {
  const [state, setState] = useState<Omit<Answer<T>, 'reload'>>({
    value: undefined,
    error: undefined,
    isAsking: true,
  });
  const [asked, setAsked] = useState(0);
  const question = useRef(ask);
  question.current = ask;
  const asker = client.value;
  const recoveries = recoveryCount.value;

  useEffect(() => {
    let isNewest = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const again = (): void => {
      if (isNewest && everyMs !== undefined) timer = setTimeout(() => void answer(), everyMs);
    };
    const answer = async (): Promise<void> => {
      if (document.visibilityState === 'hidden') return again();
      try {
        const value = await question.current(asker);
        if (isNewest) setState({ value, error: undefined, isAsking: false });
      } catch (error) {
        if (isNewest) setState(({ value }) => ({ value, error, isAsking: false }));
      }
      again();
    };
    setState(({ value, error }) => ({ value, error, isAsking: true }));
    void answer();
    return () => {
      isNewest = false;
      clearTimeout(timer);
    };
  }, [...dependencies, asker, recoveries, asked]);

  const reload = useCallback(() => setAsked((count) => count + 1), []);
  return { ...state, reload };
}
