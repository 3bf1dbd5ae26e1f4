import { gatewayState } from '../session/gateway-state.js';

/** Says within two seconds that the gateway or a store is away, and when everything is back. */
export function AwayBanner() {
  const state = gatewayState.value;
  return (
    <div class="away-place" role="status" aria-live="polite">
      {state.kind === 'AWAY' && (
        <p class="away">
          {state.reasons.join('. ')}. The page tries again by itself; nothing that was confirmed is lost.
        </p>
      )}
      {state.kind === 'BACK' && <p class="away back">Everything answers again.</p>}
    </div>
  );
}
