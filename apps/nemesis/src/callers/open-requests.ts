import type { Ending } from '../history/history.js';

/**
 * Requests whose outcome is unknown, which callers repeat with the same key after recovery. One that was certainly not
 * carried out is not repeated, so that the checker can see whether it was.
 */
export class OpenRequests {
  readonly #open = new Map<string, () => Promise<unknown>>();

  /** Sends a request, and keeps it until it is answered. @param isDecided whether an answer is the last word */
  async ask<Answer>(
    key: string,
    request: () => Promise<Ending<Answer>>,
    isDecided: (answer: Answer) => boolean = () => true,
  ): Promise<Answer | undefined> {
    this.#open.set(key, () => this.ask(key, request, isDecided));
    const ending = await request();
    if (ending.kind === 'failed') {
      if (!ending.outcomeUnknown) this.#open.delete(key);
      return undefined;
    }
    if (isDecided(ending.answer)) this.#open.delete(key);
    return ending.answer;
  }

  async settle(): Promise<void> {
    for (const again of this.#open.values()) await again();
  }
}
