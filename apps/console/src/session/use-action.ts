import { useState } from 'preact/hooks';

/** Runs what a user starts, and keeps why the newest attempt failed. */
export function useAction() {
  const [error, setError] = useState<unknown>();
  const [isRunning, setRunning] = useState(false);
  const run = async (action: () => Promise<unknown>): Promise<void> => {
    setError(undefined);
    setRunning(true);
    try {
      await action();
    } catch (failure) {
      setError(failure);
    } finally {
      setRunning(false);
    }
  };
  return { error, isRunning, run };
}
