import { useRef, useState } from 'preact/hooks';

/** Runs what a user starts, one at a time, and keeps why the newest attempt failed. */
export function useAction() {
  const [error, setError] = useState<unknown>();
  const [isRunning, setRunning] = useState(false);
  // The second of two clicks can come before the button is drawn as disabled.
  const isStarted = useRef(false);
  const run = async (action: () => Promise<unknown>): Promise<void> => {
    if (isStarted.current) return;
    isStarted.current = true;
    setError(undefined);
    setRunning(true);
    try {
      await action();
    } catch (failure) {
      setError(failure);
    } finally {
      isStarted.current = false;
      setRunning(false);
    }
  };
  return { error, isRunning, run };
}
