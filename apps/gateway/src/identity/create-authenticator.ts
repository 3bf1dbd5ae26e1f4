import type { GatewayConfig } from '../config.js';
import { authenticateDemo } from './demo-authenticator.js';
import type { Authenticate, Identity } from './identity.js';

/** Creates the authenticator for the configured mode. See `createJwtAuthenticator`. */
export async function createAuthenticator(
  config: GatewayConfig['identity'],
  onVerified?: (identity: Identity) => void,
): Promise<Authenticate> {
  if (config.mode === 'demo') return authenticateDemo;
  // Loaded on demand: only tokens need these sixty files.
  const { createJwtAuthenticator } = await import('./jwt-authenticator.js');
  return createJwtAuthenticator(config, Date.now, onVerified);
}
