import { fileURLToPath } from 'node:url';
import { GatewayProcess as TestGateway } from '@solegate/testkit';

const MOVED_CLOCK = fileURLToPath(new URL('../../preload/moved-clock.mjs', import.meta.url));
/** Loaded into a gateway, it applies the changes in NEMESIS_CODE_CHANGE. */
export const CHANGED_CODE = fileURLToPath(new URL('../../preload/changed-code.mjs', import.meta.url));
/** A short window shortens the quarantine of an empty Redis. */
const NODE_LEASE_WINDOW_MS = 3000;

/** A change of a built module when a gateway loads it. The gateway does not start if the module lacks the text. */
export interface CodeChange {
  /** The end of the module's path. */
  readonly module: string;
  readonly text: string;
  readonly becomes: string;
}

export interface GatewayPlace {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  /** What grants node IDs, `redis` or `postgres`. Default: `redis`. */
  readonly nodeStore?: string;
  /** `dist/main.js` of the gateway. Default: that of this checkout. */
  readonly program?: string | undefined;
  /** Arguments of the program. Default: none, so that it migrates and serves. */
  readonly command?: readonly string[];
  readonly codeChanges?: readonly CodeChange[];
}

/** A gateway whose clock can be moved, in its own process, on one port across restarts. */
export class GatewayProcess extends TestGateway {
  constructor({
    databaseUrl,
    redisUrl,
    nodeStore = 'redis',
    program,
    command = [],
    codeChanges = [],
  }: GatewayPlace) {
    super({
      program,
      command,
      nodeFlags: ['--import', MOVED_CLOCK, ...(codeChanges.length > 0 ? ['--import', CHANGED_CODE] : [])],
      environment: {
        NODE_ENV: 'development',
        AUTH_MODE: 'demo',
        DATABASE_URL: databaseUrl,
        REDIS_URL: redisUrl,
        NODE_STORE: nodeStore,
        NODE_LEASE_WINDOW_MS: String(NODE_LEASE_WINDOW_MS),
        RATE_LIMIT_PER_SECOND: '0',
        NEMESIS_CODE_CHANGE: JSON.stringify(codeChanges),
      },
      hasChannel: true,
    });
  }

  static async start(place: GatewayPlace): Promise<GatewayProcess> {
    const gateway = new GatewayProcess(place);
    await gateway.start();
    return gateway;
  }

  moveClock(clockOffsetMs: number): void {
    this.send({ clockOffsetMs });
  }
}
