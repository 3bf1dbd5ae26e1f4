/**
 * Loaded into a gateway before its own code: moves its wall clock by what the parent sends. Only `Date` moves, as it does
 * when somebody sets the clock of a machine; timers and `performance.now()` go on.
 */
let offsetMs = 0;

const now = Date.now;

globalThis.Date = class extends Date {
  constructor(...parts) {
    if (parts.length === 0) super(now() + offsetMs);
    else super(...parts);
  }

  static now() {
    return now() + offsetMs;
  }
};

process.on('message', (message) => {
  offsetMs = message.clockOffsetMs;
});
process.channel?.unref();
// Whoever sends it is gone, and nobody else would end this gateway.
process.on('disconnect', () => process.exit());
