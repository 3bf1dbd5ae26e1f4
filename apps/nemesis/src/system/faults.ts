import { delay, type FaultMode, type FaultProxy } from '@solegate/testkit';
import { FAULTS, type FaultKind, type Part } from '../schedule/schedule.js';
import type { Cell, System } from './system.js';

/** How a fault begins and ends. Both resolve once it has. */
export interface Fault {
  begin(system: System): unknown;
  end(system: System): unknown;
}

const HOUR_MS = 3_600_000;
/** Delay of the replies of a slowed Redis or PostgreSQL. */
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

/** Faults of the connections to a server. */
function connectionFaults(proxyOf: (system: System) => FaultProxy) {
  const proxied = (mode: FaultMode): Fault => ({
    begin: (system) => proxyOf(system).set(mode),
    end: (system) => proxyOf(system).set('pass'),
  });
  return {
    'black-holed': proxied('blackHole'),
    'replies cut': proxied('cutAfterReply'),
    slowed: proxied(delay(SLOW_MS)),
  };
}

const redisFaults: FaultsOf<'redis'> = {
  killed: { begin: ({ redis }) => redis.kill(), end: ({ redis }) => redis.restart() },
  emptied: { begin: ({ redis }) => redis.kill(), end: ({ redis }) => redis.restart({ keepData: false }) },
  stopped: { begin: ({ redis }) => redis.pause(), end: ({ redis }) => redis.resume() },
  ...connectionFaults(({ redisProxy }) => redisProxy),
};

function serverFaults(cell: (system: System) => Cell): FaultsOf<'otherCell'> {
  return {
    killed: {
      begin: (system) => cell(system).server.kill(),
      end: (system) => cell(system).server.restart(),
    },
    'back end killed': { begin: (system) => cell(system).server.crash(), end: nothing },
    stopped: {
      begin: (system) => cell(system).server.pause(),
      end: (system) => cell(system).server.resume(),
    },
    ...connectionFaults((system) => cell(system).proxy),
    'connections ended': {
      begin: async (system) => {
        await cell(system).server.terminateBackends('nemesis');
      },
      end: nothing,
    },
    'read-only': {
      begin: (system) => setReadOnly(cell(system).server.pool, 'on'),
      end: (system) => setReadOnly(cell(system).server.pool, 'off'),
    },
  };
}

async function setReadOnly(pool: Cell['server']['pool'], value: 'on' | 'off'): Promise<void> {
  await pool.query(`ALTER SYSTEM SET default_transaction_read_only = ${value}`);
  await pool.query('SELECT pg_reload_conf()');
}

const PARTS: { readonly [Of in Part]: Readonly<Record<string, Fault>> } = {
  gateway0: gatewayFaults(0),
  gateway1: gatewayFaults(1),
  redis: redisFaults,
  postgres: {
    ...serverFaults(({ cells }) => cells[0]),
    'failed over': { begin: (system) => system.failOver(), end: nothing },
  },
  otherCell: serverFaults(({ cells }) => cells[1] ?? cells[0]),
};

/** @throws TypeError for a fault that the part does not have */
export function faultOf(part: Part, kind: FaultKind): Fault {
  const fault = PARTS[part][kind];
  if (fault === undefined) throw new TypeError(`${part} cannot be ${kind}`);
  return fault;
}
