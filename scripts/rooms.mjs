/** Each room on its own floor: below it are all before it. */
function floors(...rooms) {
  return Object.fromEntries(rooms.map((room, index) => [room, rooms.slice(0, index)]));
}

/** The rooms of the gateway from the ground up. */
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
  'schema',
  'execution',
  'http',
  'sockets',
  'assembly',
  'process',
];

/** What each room of a folder may import beside itself: the rooms that lie below it. */
const ROOMS = {
  'packages/doc-numbering/src': floors(
    'contract',
    'sql',
    'format',
    'series',
    'request',
    'redis',
    'draw',
    'issue',
    'ledger',
    'life',
  ),
  'packages/trip-reservation/src': {
    accept: ['events', 'sql', 'trip'],
    moves: ['driver-pool', 'events', 'sql', 'trip'],
    events: ['sql', 'trip'],
    sql: ['trip'],
    'driver-pool': ['trip'],
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
  'apps/gateway/src/numbering': floors('series', 'ledger', 'counters', 'issue', 'corrections'),
  'packages/testkit/src': floors('processes', 'judging', 'faults', 'servers', 'run'),
  'apps/nemesis/src': floors('history', 'schedule', 'system', 'callers', 'run'),
  // Tools, then a folder for each scenario, then what runs and prints them.
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
    'faults',
    'suite',
    'reporting',
    'command',
  ),
};

/** One rule for each room: it imports itself and the rooms below it, and no file above the rooms. */
export const roomRules = Object.entries(ROOMS).flatMap(([folder, roomsBelow]) =>
  Object.entries(roomsBelow).map(([room, below]) => ({
    name: `rooms-of-${folder.split('/').slice(1).join('-')}-${room}`,
    comment: 'Read from top to bottom: a room knows only those below it.',
    severity: 'error',
    from: { path: `^${folder}/${room}/` },
    to: { path: `^${folder}/`, pathNot: `^${folder}/(${[room, ...below].join('|')})/` },
  })),
);
