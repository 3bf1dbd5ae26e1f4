import type { Weakening } from '../fleet/weakened-redis.js';

/** One rule of the scripts taken away at a time, by name. */
export const mutations: readonly (readonly [name: string, mutation: Weakening])[] = [
  [
    'a claim is granted in a quarantine',
    ['local isQuarantined = now < safeAfter or', 'local isQuarantined = false and'],
  ],
  ['a node is granted 20 s before its window ends', ["'-inf', integer(now)", "'-inf', integer(now + 20000)"]],
  [
    'a window begins a millisecond early',
    ['local floor, ceiling = now, now', 'local floor, ceiling = now - 1, now'],
  ],
  [
    'a refused claim is no contact',
    ["redis.call('HSET', meta, 'touched', integer(now), 'written', integer(now))", ''],
  ],
  ['a renewal takes any token', ['(lastLife == life or ceiling >= ownCeiling) and not isKnown', 'false']],
  [
    'a renewal leaves the token as it is',
    ['table.concat({ nextToken, claim, floor', 'table.concat({ token, claim, floor'],
  ],
  ['a window that has ended is renewed', ['if now >= ceiling then', 'if false then']],
  ['a holder reports after the quarantine', ['if now >= safeAfter then return', 'if false then return']],
  [
    'a window about to end is reported',
    ['if now + skewMaxMs >= ownCeiling then', 'if now >= ownCeiling then'],
  ],
  [
    'a wrong clock extends a window',
    ['(isClockRight and now or math.min(now, holderNow)) + windowMs', 'now + windowMs'],
  ],
  ['a restart goes unnoticed', ["if lastRun ~= run then return 'RESTARTED' end", '']],
  ['a promotion goes unnoticed', ["run = run .. valueOf(replication, 'master_replid')", '']],
  ['lost entries go unnoticed', ['if tonumber(facts[5]) ~= slotCount or', 'if false and']],
  ['a rollback goes unnoticed', ['if version < knownVersion and', 'if false and']],
  ['a silence goes unnoticed', ['return silence()', 'return nil']],
  ['a quarantine ends when the clock is corrected', ['if touched == 0 then return reason end', '']],
  ['an idle silence goes unnoticed', ["isAsLeft() and 'IDLE'", 'nil']],
  ['restored keys count as those of an idle fleet', ["return isAsLeft() and 'IDLE' or", "return 'IDLE' or"]],
  ['a release makes restored keys right', ['if isClockRight or isAsLeft() then', 'if true then']],
  [
    'the version does not learn from holders',
    ['version = math.max(version, knownVersion) + 1', 'version = version + 1'],
  ],
  ['a release leaves the ceiling as it is', ['integer(unminted), node', 'integer(ceiling), node']],
  ['a release takes any token', ['if token ~= ARGV[2] and token ~= ARGV[3] then', 'if false then']],
];

/** The same for the functions of PostgreSQL. */
export const postgresMutations: readonly (readonly [name: string, mutation: Weakening])[] = [
  ['a claim is granted in a quarantine', ['IF now_ms < fleet.safe_after_ms OR (NOT', 'IF false AND (NOT']],
  [
    'a node is granted 20 s before its window ends',
    ['n.ceiling_ms <= now_ms ORDER BY', 'n.ceiling_ms <= now_ms + 20000 ORDER BY'],
  ],
  ['a window begins a millisecond early', ['lease.floor_ms := now_ms;', 'lease.floor_ms := now_ms - 1;']],
  ['a renewal takes any token', ['IF lease.node IS NOT NULL AND NOT is_known AND', 'IF false AND']],
  [
    'a renewal leaves the token as it is',
    ['own_floor_ms, next_token, own_claim', 'own_floor_ms, own_token, own_claim'],
  ],
  ['a window that has ended is renewed', ['IF now_ms >= lease.ceiling_ms THEN', 'IF false THEN']],
  ['a holder reports after the quarantine', ['ELSIF now_ms >= fleet.safe_after_ms THEN', 'ELSIF false THEN']],
  ['another server goes unnoticed', ['WHEN fleet.server <> this_server', 'WHEN false']],
  ['a rollback goes unnoticed', ['WHEN fleet.version < known_version AND', 'WHEN false AND']],
  ['a silence goes unnoticed', [`AND n.token <> '-') THEN 'SILENT'`, `AND false) THEN 'SILENT'`]],
  ['an idle silence goes unnoticed', [`THEN 'IDLE'`, 'THEN NULL']],
  ['restored rows count as those of an idle fleet', [`ELSE 'ROLLED_BACK'`, `ELSE 'IDLE'`]],
  ['lost rows go unnoticed', ['WHEN fleet.node_count <> node_count', 'WHEN false']],
  [
    'a window about to end is reported',
    ['ELSIF now_ms + skew_max_ms >= own_ceiling_ms', 'ELSIF now_ms >= own_ceiling_ms'],
  ],
  ['a wrong clock extends a window', ['ELSE least(now_ms, own_ms) END', 'ELSE now_ms END']],
  ['a release takes any token', ['AND n.token IN (own_token, next_token);', ';']],
];
