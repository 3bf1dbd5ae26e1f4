import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { freePort, ServiceProcess } from '@solegate/testkit';

const MOVED_CLOCK = fileURLToPath(new URL('../../preload/moved-clock.mjs', import.meta.url));
/**
 * A Redis that is emptied while no gateway holds a node grants none for 35 s, whatever the window. Each further loss of
 * its data restarts that time.
 */
const READY_WITHIN_MS = 180_000;
/** A short window shortens the quarantine of an empty Redis. */
const NODE_LEASE_WINDOW_MS = 3000;

export interface GatewayPlace {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  /** `dist/main.js` of the gateway. Default: that of this checkout. */
  readonly program?: string | undefined;
}

/** A gateway in its own process, on one port across restarts. */
export class GatewayProcess extends ServiceProcess {
  readonly url: string;

  private constructor(port: number, place: GatewayPlace) {
    const program = place.program ?? createRequire(import.meta.url).resolve('@solegate/gateway/dist/main.js');
    super({
      args: ['--import', MOVED_CLOCK, program],
      environment: {
        NODE_ENV: 'development',
        AUTH_MODE: 'demo',
        PORT: String(port),
        DATABASE_URL: place.databaseUrl,
        REDIS_URL: place.redisUrl,
        NODE_LEASE_WINDOW_MS: String(NODE_LEASE_WINDOW_MS),
        RATE_LIMIT_PER_SECOND: '0',
        LOG_LEVEL: 'error',
      },
      readyUrl: `http://127.0.0.1:${port}/health/ready`,
      readyWithinMs: READY_WITHIN_MS,
      hasChannel: true,
    });
    this.url = `http://127.0.0.1:${port}/graphql`;
  }

  static async start(place: GatewayPlace): Promise<GatewayProcess> {
    const gateway = new GatewayProcess(await freePort(), place);
    await gateway.start();
    return gateway;
  }

  moveClock(clockOffsetMs: number): void {
    this.send({ clockOffsetMs });
  }
}
