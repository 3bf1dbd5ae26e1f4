/** What a failed call says for people, whatever threw it. */
export function wordsOf(error: unknown): string {
  if (error instanceof TypeError) return 'The gateway could not be reached.';
  if (error instanceof Error) return error.message;
  return String(error);
}

/** The domain's code of the failure, such as SERIES_BUSY; undefined where it has none. */
export function reasonOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('reason' in error)) return undefined;
  return typeof error.reason === 'string' ? error.reason : undefined;
}
