/**
 * Loaded into a gateway before its own code: shifts its wall clock by the offset that the parent sends. Only `Date`
 * shifts, as when someone sets a machine's clock; timers and `performance.now()` are unaffected.
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
// The parent has died, and nothing else would end this gateway.
process.on('disconnect', () => process.exit());
