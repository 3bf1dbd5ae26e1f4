import { gatewayState } from '../session/gateway-state.js';

/** Reports within two seconds that the gateway or a store is unavailable, and when everything has recovered. */
export function AwayBanner() {
  const state = gatewayState.value;
  return (
    <div class="away-place" role="status" aria-live="polite">
      {state.kind === 'AWAY' && state.reasons.length > 0 && (
        <p class="away">
          {state.reasons.join('; ')}. Retrying automatically; nothing that was confirmed is lost.
        </p>
      )}
      {state.kind === 'BACK' && <p class="away back">Everything is available again.</p>}
    </div>
  );
}
