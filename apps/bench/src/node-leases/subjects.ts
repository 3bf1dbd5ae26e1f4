import { connectRedis } from '@solegate/redis-infra';
import { leaseNode, type NodeLease } from '@solegate/tsid-core/node-lease';
import { type Command, Redis } from 'ioredis';
import type { OpenSubject, SubjectTable } from '../workers/subject.js';

/** Slots of the default layout. */
const NODE_COUNT = 1024;
/** The original design's lease lasts a day. */
const ORIGINAL_TTL_SECONDS = 86_400;

/** Commands of the connection itself, for which a claim does not wait. */
const BACKGROUND = new Set(['ping', 'info', 'config', 'client']);

interface Commanding {
  sendCommand(command: Command, stream?: never): unknown;
}

/** Counts the commands of the claims themselves: one command, one round trip. */
function countRoundTrips(connection: Commanding): () => { readonly roundTrips: number } {
  let roundTrips = 0;
  const send = connection.sendCommand.bind(connection);
  connection.sendCommand = (command: Command, stream?: never) => {
    if (!BACKGROUND.has(command.name)) roundTrips += 1;
    return send(command, stream);
  };
  return () => ({ roundTrips });
}

/** One script per claim, however many nodes are taken. */
const openSolegateLeases: OpenSubject = async (setup) => {
  // A thousand starters share this connection: they wait for each other and must not time out.
  const redis = connectRedis({ url: setup.redisUrl, purpose: 'background', commandTimeoutMs: 30_000 });
  const held: NodeLease[] = [];
  let namespace = '';
  const releaseAll = async (): Promise<void> => {
    await Promise.all(held.splice(0).map((lease) => lease.release()));
  };
  return {
    prepare: async (_round, facts) => {
      await releaseAll();
      namespace = String(facts.namespace);
    },
    request: async () => {
      const lease = await leaseNode({
        redis,
        namespace: setup.sabotaged ? `${namespace}:${setup.worker}` : namespace,
        trustEmptyStore: true,
        automatic: false,
      });
      held.push(lease);
      return { kind: 'claimed', node: lease.health().node ?? -1 };
    },
    counts: countRoundTrips(redis),
    close: async () => {
      await releaseAll();
      redis.disconnect();
    },
  };
};

/** The key of one slot in the original design. */
export function originalNodeKey(namespace: string, node: number): string {
  return `${namespace}:node:${node}`;
}

/** The original design, reproduced exactly: try SET NX on slot 0, 1, 2 … until one is free. */
const openOriginalLeases: OpenSubject = async (setup) => {
  const redis = new Redis(setup.redisUrl);
  let namespace = '';
  return {
    prepare: async (_round, facts) => {
      namespace = String(facts.namespace);
    },
    request: async ({ sequence }) => {
      const holder = `${setup.worker}:${sequence}`;
      for (let node = 0; node < NODE_COUNT; node += 1) {
        const key = originalNodeKey(namespace, node);
        const answer = await redis.set(key, holder, 'EX', ORIGINAL_TTL_SECONDS, 'NX');
        if (answer === 'OK') return { kind: 'claimed', node };
      }
      throw new Error('all nodes are taken');
    },
    counts: countRoundTrips(redis),
    close: async () => {
      redis.disconnect();
    },
  };
};

export const subjects = {
  solegate: openSolegateLeases,
  'original design: SETNX loop': openOriginalLeases,
} satisfies SubjectTable;
