import { setTimeout as pause } from 'node:timers/promises';
import type { Minimum } from '../history/calls.js';
import type { RuleName } from '../history/check.js';
import type { CodeChange } from '../system/gateway-process.js';
import type { System } from '../system/system.js';

/** A guard that is taken away from a running system, and the rules of which one must notice it. */
export interface Sabotage {
  readonly caughtBy: readonly RuleName[];
  /** Rules that must hold nevertheless, by another guard. */
  readonly spares?: readonly RuleName[];
  /** Of kinds of answers that a run without the guard needs more often than others, or never receives. */
  readonly minimum?: Minimum;
  /** Changes the code of the gateways. */
  readonly codeChange?: CodeChange;
  /** Runs in the gateways' database before the callers begin. */
  readonly sql?: string;
  /** Changes the text of an answer. */
  readonly rewrite?: () => (answer: string) => string;
  /** Runs under load when the time is up. */
  readonly lastly?: (system: System) => Promise<void>;
}

/** Commits stay in memory until the log writer wakes up, and are lost with a back end that is killed. */
const FORGETFUL = {
  sql: `
    ALTER SYSTEM SET synchronous_commit = off;
    ALTER SYSTEM SET wal_writer_delay = '10s';
    ALTER SYSTEM SET wal_writer_flush_after = '1GB';
    SELECT pg_reload_conf()`,
  lastly: async ({ cells: [{ server }] }: System) => {
    await server.crash();
    await pause(GOING_ON_MS);
  },
};

/** How long callers go on after commits were lost. */
const GOING_ON_MS = 3000;

/** One answer TripTaken of so many becomes TripAccepted. */
const ANSWERED_WRONG_EVERY = 100;

export const SABOTAGES = {
  'an old epoch accepted': {
    caughtBy: ['a driver who did not ask', 'an old offer accepted'],
    // Of those who come late for a trip that its driver left, some are not in its audience, and some are busy.
    minimum: { 'ride leave': 15 },
    codeChange: {
      module: 'trip-reservation/dist/accept/decide-trips.js',
      text: 'AND t.epoch = w.epoch',
      becomes: 'AND t.epoch >= w.epoch',
    },
  },
  '1 % of losers answered ACCEPTED': {
    caughtBy: ['two winners', 'a winner who is not stored'],
    rewrite: () => {
      let lost = 0;
      return (answer) => {
        if (!answer.includes('"TripTaken"')) return answer;
        lost += 1;
        return lost % ANSWERED_WRONG_EVERY === 0 ? answer.replace('"TripTaken"', '"TripAccepted"') : answer;
      };
    },
  },
  'one node for two gateways': {
    caughtBy: ['a duplicate ID', 'a node of two processes'],
    codeChange: {
      module: 'tsid-core/dist/node-lease/held-node.js',
      text: 'const { node, floorMs, ceilingMs } = this.#current;',
      becomes: 'const { node, floorMs, ceilingMs } = { ...this.#current, node: 7 };',
    },
  },
  'a driver with two trips': {
    caughtBy: ['a driver accepted twice at once', 'a driver on two trips'],
    minimum: { 'answer DriverBusy': 0 },
    sql: 'ALTER TABLE driver_active DROP CONSTRAINT driver_active_pkey',
  },
  'events dropped': {
    caughtBy: ['a change without its event'],
    sql: `
      CREATE FUNCTION drop_event() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
      CREATE TRIGGER drop_events BEFORE INSERT ON trip_outbox
        FOR EACH ROW WHEN (NEW.type <> 'TRIP_ACCEPTED') EXECUTE FUNCTION drop_event()`,
  },
  'a silent relay': {
    caughtBy: ['an offer that no driver received'],
    codeChange: {
      module: 'trip-reservation/dist/events/relay.js',
      text: 'redis.publish(channel, message)',
      becomes: '1',
    },
  },
  'keys of everybody': {
    caughtBy: ['a key of another person'],
    codeChange: {
      module: 'doc-numbering/dist/contract/checks.js',
      text: 'actor: request.actor,',
      becomes: '',
    },
  },
  'synchronous_commit off': { ...FORGETFUL, caughtBy: ['a lost number'], spares: ['a duplicate number'] },
  'synchronous_commit off, and marks ignored': {
    ...FORGETFUL,
    caughtBy: ['a duplicate number', 'a voided number issued again'],
    codeChange: {
      module: 'doc-numbering/dist/issue/known-counter.js',
      text: 'floor: isEnded ? Number.MAX_SAFE_INTEGER : last',
      becomes: 'floor: 0',
    },
  },
} satisfies Readonly<Record<string, Sabotage>>;

export type SabotageName = keyof typeof SABOTAGES;
