/** Stacks rooms: each lies above all those listed before it. */
function floors(...rooms) {
  return Object.fromEntries(rooms.map((room, index) => [room, rooms.slice(0, index)]));
}

/** The rooms of the gateway, lowest first. */
export const gatewayRooms = [
  'stores',
  'errors',
  'identity',
  'graphql',
  'operations',
  'overview',
  'tsid',
  'cells',
  'master-data',
  'trips',
  'numbering',
  'correspondences',
  'budget',
  'execution',
  'breaking',
  'http',
  'sockets',
  'assembly',
  'process',
];

/** For each room of a folder, the rooms below it: those that it is allowed to import. */
const ROOMS = {
  // What a fleet asks of a store is the same for each, and neither store knows the other.
  'packages/tsid-core/src/node-lease': { redis: ['fleet'], postgres: ['fleet'], fleet: [] },
  'packages/doc-numbering/src': floors(
    'contract',
    'sql',
    'format',
    'series',
    'request',
    'redis',
    'draw',
    'seal',
    'issue',
    'ledger',
    'feed',
    'life',
  ),
  'packages/trip-reservation/src': {
    accept: ['events', 'sql', 'timing', 'trip'],
    moves: ['driver-pool', 'events', 'sql', 'trip'],
    events: ['sql', 'timing', 'trip'],
    'driver-pool': ['sql', 'timing', 'trip'],
    sql: ['trip'],
    timing: [],
    trip: [],
  },
  'packages/client/src': {
    subscriptions: ['calls', 'wire', 'generated', 'contract'],
    websocket: ['wire', 'contract'],
    calls: ['wire', 'generated', 'contract'],
    wire: ['contract'],
    generated: ['contract'],
    contract: [],
  },
  'apps/gateway/src/numbering': floors('series', 'ledger', 'counters', 'issue', 'corrections', 'facts'),
  'packages/local-services/src': floors('system', 'programs', 'servers'),
  'packages/testkit/src': floors('judging', 'processes', 'faults', 'servers', 'run', 'gateway'),
  'apps/nemesis/src': floors('history', 'schedule', 'system', 'callers', 'sabotage', 'run', 'failover'),
  // Tools, then a folder for each scenario, then the code that runs the scenarios and prints the results.
  'apps/bench/src': floors(
    'measuring',
    'figures',
    'workers',
    'running',
    'ids',
    'node-leases',
    'numbers',
    'trips',
    'gateway',
    'suite',
    'reporting',
    'command',
  ),
};

/** One rule for each room: it imports itself and the rooms below it, and no file above the rooms. */
export const roomRules = Object.entries(ROOMS).flatMap(([folder, roomsBelow]) =>
  Object.entries(roomsBelow).map(([room, below]) => ({
    name: `rooms-of-${folder.split('/').slice(1).join('-')}-${room}`,
    comment: 'A room imports only the rooms below it.',
    severity: 'error',
    from: { path: `^${folder}/${room}/` },
    to: { path: `^${folder}/`, pathNot: `^${folder}/(${[room, ...below].join('|')})/` },
  })),
);
