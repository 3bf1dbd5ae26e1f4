import { part } from '../parts/figures.js';

/** From this share on, the meter is shown as near its limit. */
const NEAR = 0.8;

/** How much of a limit is used, 0 to 1. */
export function Meter({ used, what }: { readonly used: number; readonly what: string }) {
  const width = Math.max(0.5, Math.min(1, used) * 100);
  return (
    <span class="with-meter">
      <svg
        class="meter"
        viewBox="0 0 100 8"
        preserveAspectRatio="none"
        role="img"
        aria-label={`${what}: ${part(used)}`}
      >
        <rect class="room" width="100" height="8" />
        <rect class={`used ${used >= NEAR ? 'near' : ''}`} width={width} height="8" />
      </svg>
      <span class={used >= NEAR ? 'tag limit' : 'quiet small'}>{part(used)}</span>
    </span>
  );
}
