import { type GatewayProcess, startGateway } from '@solegate/testkit';
import { RUNTIME_ROLE } from './gateway-client.js';

/** Starts a gateway in its own process, with the gateways' database role, which cannot change tables. */
export function serve(environment: Readonly<Record<string, string>>): Promise<GatewayProcess> {
  if (new URL(environment.DATABASE_URL ?? '').username !== RUNTIME_ROLE) {
    throw new Error(`gateways of the tests run as ${RUNTIME_ROLE}; see asRuntimeRole`);
  }
  return startGateway({ command: ['serve'], environment: { LOG_LEVEL: 'info', ...environment } });
}
