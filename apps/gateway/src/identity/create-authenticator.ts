import type { GatewayConfig } from '../config.js';
import { authenticateDemo } from './demo-authenticator.js';
import type { Authenticate } from './identity.js';
import { createJwtAuthenticator } from './jwt-authenticator.js';

/** How this gateway learns who asks. */
export async function createAuthenticator(config: GatewayConfig['identity']): Promise<Authenticate> {
  return config.mode === 'demo' ? authenticateDemo : createJwtAuthenticator(config, Date.now);
}
