import { ChannelError, type SubscriptionChannel } from '../contract/subscription-channel.js';

/** How long the second channel is used before the first is tried again. */
const SECOND_MS = 60_000;

/**
 * Uses the first channel, or the second if the first never opened and the second does: some networks block WebSockets.
 */
export function withFallback(
  first: SubscriptionChannel,
  second: SubscriptionChannel,
  now: () => number = () => performance.now(),
): SubscriptionChannel {
  let hasOpened = false;
  let secondUntilMs = 0;
  return {
    async *open(request, signal) {
      if (now() >= secondUntilMs) {
        const onOpen = (): void => {
          hasOpened = true;
          request.onOpen();
        };
        try {
          yield* first.open({ ...request, onOpen }, signal);
          return;
        } catch (error) {
          if (!(error instanceof ChannelError) || error.failure.isAnswered || hasOpened) throw error;
        }
      }
      const onOpen = (): void => {
        secondUntilMs = now() + SECOND_MS;
        request.onOpen();
      };
      yield* second.open({ ...request, onOpen }, signal);
    },
    async close() {
      await Promise.all([first.close(), second.close()]);
    },
  };
}
