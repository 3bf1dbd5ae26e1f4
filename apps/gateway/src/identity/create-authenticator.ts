import type { GatewayConfig } from '../config.js';
import { GatewayError } from '../errors/gateway-error.js';
import { type Authenticate, type Identity, isRole, ROLES } from './identity.js';

/**
 * Demo mode: no keys, and any caller can act as any user, so the configuration allows it only on loopback.
 *
 *   no header              person 1 in every role, so that pasted examples work unchanged
 *   x-demo-user: driver-7  person 7 with the role driver; likewise rider-7, clerk-7, auditor-7, admin-7
 */
const DEMO_USER = /^([a-z]+)-([1-9][0-9]{0,8})$/;
const EVERYBODY: Identity = { subjectId: 1n, roles: new Set(ROLES), projects: 'ALL', expiresAtMs: undefined };

const authenticateDemo: Authenticate = ({ demoUser }) => {
  if (demoUser === undefined) return EVERYBODY;
  const [, role, number] = DEMO_USER.exec(demoUser) ?? [];
  if (number === undefined || !isRole(role)) {
    throw new GatewayError({
      code: 'UNAUTHENTICATED',
      reason: 'UNKNOWN_DEMO_USER',
      message: `x-demo-user must be a role and a number, such as driver-1; roles: ${ROLES.join(', ')}`,
    });
  }
  return { subjectId: BigInt(number), roles: new Set([role]), projects: 'ALL', expiresAtMs: undefined };
};

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
