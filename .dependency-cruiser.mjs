/** Who may import whom, each rule with its reason. Run by `npm run check`; the picture is in ARCHITECTURE.md. */
import { gatewayRooms, roomRules } from './scripts/rooms.mjs';

const gateway = '^apps/gateway/src/';

const domain = '^packages/(tsid-core|doc-numbering|trip-reservation)/';

export default {
  forbidden: [
    {
      name: 'no-cycle',
      comment: 'Two modules that need each other to run are one module, or miss a third.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'domain-packages-do-not-know-each-other',
      comment: 'IDs are passed in; only an app joins packages. Else none can be used alone.',
      severity: 'error',
      from: { path: '^packages/(tsid-core|doc-numbering|trip-reservation)/(src|test)/' },
      to: { path: domain, pathNot: '^packages/$1/' },
    },
    {
      name: 'domain-packages-know-no-transport',
      comment: 'The rules of a race must run, and be timed, without GraphQL, HTTP or a logger.',
      severity: 'error',
      from: { path: `${domain}src/` },
      to: { path: 'node_modules/(@apollo|type-graphql|fastify|pino|ws|graphql-ws)/' },
    },
    {
      name: 'typeorm-and-graphql-only-behind-their-doors',
      comment: 'A caller with plain pg must not install an ORM or a GraphQL library.',
      severity: 'error',
      from: { path: `(${domain}|^packages/postgres-infra/)src/`, pathNot: '/src/(typeorm|graphql)/' },
      to: { path: 'node_modules/(typeorm|graphql)/' },
    },
    {
      name: 'tsid-core-is-pure',
      comment:
        'The generator and the codecs run in a browser: no Redis and no Node module outside ./node-lease.',
      severity: 'error',
      from: { path: '^packages/tsid-core/src/', pathNot: '/src/(node-lease|typeorm|graphql)/' },
      to: { pathNot: '^packages/tsid-core/src/' },
    },
    {
      name: 'tsid-core-codec-is-the-ground-floor',
      comment: 'Reading and writing IDs needs no generator.',
      severity: 'error',
      from: { path: '^packages/tsid-core/src/codec/' },
      to: { path: '^packages/tsid-core/src/', pathNot: '^packages/tsid-core/src/codec/' },
    },
    {
      name: 'tsid-core-generator-above-codec',
      comment: 'A generator mints in the windows that it is given, whoever gives them.',
      severity: 'error',
      from: { path: '^packages/tsid-core/src/generator/' },
      to: { path: '^packages/tsid-core/src/', pathNot: '^packages/tsid-core/src/(codec|generator)/' },
    },
    {
      name: 'tsid-core-node-lease-above-the-generator',
      comment: 'A lease serves any generator, and knows neither an ORM nor GraphQL.',
      severity: 'error',
      from: { path: '^packages/tsid-core/src/node-lease/' },
      to: {
        path: '^packages/tsid-core/src/',
        pathNot: '^packages/tsid-core/src/(codec|generator|node-lease)/',
      },
    },
    {
      name: 'tsid-core-postgres-only-behind-its-door',
      comment: 'A fleet that leases from Redis must not load what reaches PostgreSQL.',
      severity: 'error',
      from: { path: '^packages/tsid-core/src/', pathNot: '/src/node-lease/postgres/' },
      to: { path: '^packages/(postgres-infra|tsid-core/src/node-lease/postgres)/' },
    },
    {
      name: 'only-redis-infra-knows-redlock',
      comment: 'Its errors mix busy with broken, and it ships no types; the lock manager keeps both inside.',
      severity: 'error',
      from: { path: '^(packages/(?!redis-infra/)|apps/gateway/)' },
      to: { path: 'node_modules/redlock/' },
    },
    {
      name: 'redis-infra-stands-alone',
      comment: 'It is the ground floor: a workspace package that it imported could not import it.',
      severity: 'error',
      from: { path: '^packages/redis-infra/src/' },
      to: { path: '^(packages/(?!redis-infra/)|apps/)' },
    },
    {
      name: 'postgres-infra-stands-alone',
      comment: 'As redis-infra: both domain packages stand on it, so it can stand on neither.',
      severity: 'error',
      from: { path: '^packages/postgres-infra/src/' },
      to: { path: '^(packages/(?!postgres-infra/)|apps/)' },
    },
    {
      name: 'client-stands-alone',
      comment:
        'Pages load it: no package of ours and no module of Node; graphql-ws behind its door, graphql as types.',
      severity: 'error',
      from: { path: '^packages/client/src/', pathNot: '/src/websocket/' },
      to: {
        pathNot: '^packages/client/src/|node_modules/graphql/',
      },
    },
    {
      name: 'client-parses-no-graphql',
      comment: 'Its documents are texts; graphql-js would be many times its size.',
      severity: 'error',
      from: { path: '^packages/client/src/' },
      to: { path: 'node_modules/graphql/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'packages-do-not-import-apps',
      comment: 'Apps are leaves of the graph.',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^apps/' },
    },
    {
      name: 'testkit-only-in-tests',
      comment: 'Fault proxies and kill verbs never ship.',
      severity: 'error',
      from: { path: '/src/', pathNot: '^(packages/testkit|apps/(bench|nemesis))/' },
      to: { path: '^packages/testkit/' },
    },
    {
      name: 'nemesis-knows-the-client-alone',
      comment:
        'It judges the system from outside, by its API and its tables: code that it shared could hide a bug.',
      severity: 'error',
      from: { path: '^apps/nemesis/src/' },
      to: { path: '^(packages/(?!(client|testkit|local-services)/)|apps/(?!nemesis/))' },
    },
    ...roomRules,
    ...['session', 'parts', 'charts', 'views'].map((room, index, rooms) => ({
      name: `console-${room}-imports-downwards`,
      comment:
        'Who asks, then what pages are made of, then pictures, then views, then the shell around them.',
      severity: 'error',
      from: { path: `^apps/console/src/${room}/` },
      to: { path: `^apps/console/src/(?:(?:${[...rooms.slice(index + 1), 'shell'].join('|')})/|main)` },
    })),
    {
      name: 'console-views-do-not-know-each-other',
      comment: 'Each comes as a file of its own; what two of them need is a part.',
      severity: 'error',
      from: { path: '^apps/console/src/views/([^/]+)/' },
      to: { path: '^apps/console/src/views/', pathNot: '^apps/console/src/views/$1/' },
    },
    {
      name: 'console-knows-the-client-alone',
      comment:
        'It is the reference for every frontend: what it cannot do with the client, nobody can. IDs are decoded without a gateway.',
      severity: 'error',
      from: { path: '^apps/console/src/' },
      to: { path: '^(packages/(?!client/|tsid-core/src/index)|apps/(?!console/|gateway/schema))' },
    },
    {
      name: 'no-deep-imports',
      comment: 'What a package offers stands in its exports map.',
      severity: 'error',
      from: { path: '^(apps|packages)/([^/]+)/(src|test)/' },
      to: {
        path: '^(apps|packages)/[^/]+/src/',
        pathNot:
          '^$1/$2/src/|^packages/[^/]+/src/((typeorm|graphql|testing|node-lease|node-lease/postgres|websocket|driver-pool|calls)/)?index\\.ts$|^packages/(client/src/generated/documents|testkit/src/chromium)\\.ts$',
      },
    },
    {
      name: 'modules-do-not-import-their-own-index',
      comment: 'The index lists what others may use; inside, import the noun itself.',
      severity: 'error',
      from: { path: '^(apps|packages)/([^/]+)/src/', pathNot: '/index\\.ts$' },
      to: { path: '^$1/$2/src/index\\.ts$' },
    },
    {
      name: 'gateway-no-circle',
      comment: 'Types count too: who reads one of two modules that name each other reads both.',
      severity: 'error',
      from: { path: gateway },
      to: { circular: true },
    },
    ...gatewayRooms.map((room, index) => ({
      name: `gateway-${room}-imports-downwards`,
      comment: 'Rooms are read from the ground up; what two of them need lies below both.',
      severity: 'error',
      from: { path: `${gateway}${room}/` },
      to: {
        path: `${gateway}(?:(?:${[...gatewayRooms.slice(index + 1), 'none'].join('|')})/|main|print-schema)`,
      },
    })),
    {
      name: 'gateway-ground-floor',
      comment: 'Configuration and the first query are read by every room, so they know none.',
      severity: 'error',
      from: { path: `${gateway}(?:config|environment|first-query)\\.ts$` },
      to: { path: `${gateway}[^/]+/` },
    },
    {
      name: 'gateway-http-alone-knows-fastify',
      comment: 'How a document is read, admitted and run is the same for HTTP, SSE and WebSocket.',
      severity: 'error',
      from: { path: gateway, pathNot: `${gateway}(?:http|sockets|assembly)/` },
      to: { path: 'node_modules/(?:@?fastify|ws|graphql-ws)/' },
    },
    {
      name: 'gateway-rooms-are-listed',
      comment: 'A folder that is not in the list of rooms would escape the rules above.',
      severity: 'error',
      from: { path: `${gateway}(?!(?:${gatewayRooms.join('|')})/)[^/]+/` },
      to: {},
    },
    {
      name: 'resolvable',
      comment:
        'An import that nothing answers to breaks at run time. Programs for consumers run where it is installed.',
      severity: 'error',
      from: { pathNot: '^packages/consumers/test/sessions/' },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    parser: 'tsc',
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '/dist/' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@solegate/source', 'import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'],
    },
  },
};
