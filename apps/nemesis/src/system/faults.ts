import { delay } from '@solegate/testkit';
import { FAULTS, type FaultKind, type Part } from '../schedule/schedule.js';
import type { System } from './system.js';

/** How a fault begins and ends. Both resolve when it is so. */
export interface Fault {
  begin(system: System): Promise<void> | void;
  end(system: System): Promise<void> | void;
}

const HOUR_MS = 3_600_000;
/** Replies of Redis and PostgreSQL that come late. */
const SLOW_MS = 150;
const nothing = (): void => {};

type FaultsOf<Of extends Part> = Readonly<Record<(typeof FAULTS)[Of][number], Fault>>;

function gatewayFaults(index: 0 | 1): FaultsOf<'gateway0'> {
  const restart = async ({ gateways }: System): Promise<void> => gateways[index]?.start();
  const moved = (offsetMs: number): Fault => ({
    begin: ({ gateways }) => gateways[index]?.moveClock(offsetMs),
    end: ({ gateways }) => gateways[index]?.moveClock(0),
  });
  return {
    killed: { begin: async ({ gateways }) => gateways[index]?.end('SIGKILL'), end: restart },
    restarted: { begin: async ({ gateways }) => gateways[index]?.end('SIGTERM'), end: restart },
    stopped: {
      begin: ({ gateways }) => gateways[index]?.signal('SIGSTOP'),
      end: ({ gateways }) => gateways[index]?.signal('SIGCONT'),
    },
    'an hour ahead': moved(HOUR_MS),
    'an hour behind': moved(-HOUR_MS),
  };
}

const redisFaults: FaultsOf<'redis'> = {
  killed: { begin: ({ redis }) => redis.kill(), end: ({ redis }) => redis.restart() },
  emptied: { begin: ({ redis }) => redis.kill(), end: ({ redis }) => redis.restart({ keepData: false }) },
  stopped: { begin: ({ redis }) => redis.pause(), end: ({ redis }) => redis.resume() },
  'black-holed': {
    begin: ({ redisProxy }) => redisProxy.set('blackHole'),
    end: ({ redisProxy }) => redisProxy.set('pass'),
  },
  'replies cut': {
    begin: ({ redisProxy }) => redisProxy.set('cutAfterReply'),
    end: ({ redisProxy }) => redisProxy.set('pass'),
  },
  slowed: {
    begin: ({ redisProxy }) => redisProxy.set(delay(SLOW_MS)),
    end: ({ redisProxy }) => redisProxy.set('pass'),
  },
};

const postgresFaults: FaultsOf<'postgres'> = {
  killed: { begin: ({ primary }) => primary.kill(), end: ({ primary }) => primary.restart() },
  'back end killed': { begin: ({ primary }) => primary.crash(), end: nothing },
  stopped: { begin: ({ primary }) => primary.pause(), end: ({ primary }) => primary.resume() },
  'black-holed': {
    begin: ({ postgresProxy }) => postgresProxy.set('blackHole'),
    end: ({ postgresProxy }) => postgresProxy.set('pass'),
  },
  'replies cut': {
    begin: ({ postgresProxy }) => postgresProxy.set('cutAfterReply'),
    end: ({ postgresProxy }) => postgresProxy.set('pass'),
  },
  slowed: {
    begin: ({ postgresProxy }) => postgresProxy.set(delay(SLOW_MS)),
    end: ({ postgresProxy }) => postgresProxy.set('pass'),
  },
  'connections ended': {
    begin: async ({ primary }) => {
      await primary.terminateBackends('nemesis');
    },
    end: nothing,
  },
  'read-only': {
    begin: ({ primary }) => setReadOnly(primary.pool, 'on'),
    end: ({ primary }) => setReadOnly(primary.pool, 'off'),
  },
  'failed over': { begin: (system) => system.failOver(), end: nothing },
};

async function setReadOnly(pool: System['primary']['pool'], value: 'on' | 'off'): Promise<void> {
  await pool.query(`ALTER SYSTEM SET default_transaction_read_only = ${value}`);
  await pool.query('SELECT pg_reload_conf()');
}

const PARTS: { readonly [Of in Part]: Readonly<Record<string, Fault>> } = {
  gateway0: gatewayFaults(0),
  gateway1: gatewayFaults(1),
  redis: redisFaults,
  postgres: postgresFaults,
};

/** @throws TypeError for a kind that the part cannot suffer */
export function faultOf(part: Part, kind: FaultKind): Fault {
  const fault = PARTS[part][kind];
  if (fault === undefined) throw new TypeError(`${part} cannot be ${kind}`);
  return fault;
}
