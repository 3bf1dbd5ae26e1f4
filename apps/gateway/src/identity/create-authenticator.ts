import type { GatewayConfig } from '../config.js';
import { authenticateDemo } from './demo-authenticator.js';
import type { Authenticate } from './identity.js';

/** How this gateway learns who asks. */
export async function createAuthenticator(config: GatewayConfig['identity']): Promise<Authenticate> {
  if (config.mode === 'demo') return authenticateDemo;
  // Sixty files that only tokens need.
  const { createJwtAuthenticator } = await import('./jwt-authenticator.js');
  return createJwtAuthenticator(config, Date.now);
}
