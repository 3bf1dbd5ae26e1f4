import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { RedisConnection } from '@solegate/redis-infra';
import { createTsidGenerator, type NodeSource, type NodeUser, type NodeWindow } from '../../src/index.js';
import { type FleetProcess, minting, SKEW_MS, WINDOW_MS } from './fleet.js';
import type { MintLog } from './mint-log.js';

/*
 * A holder as the release before this one had it, with its Lua scripts as they were: it pins the window and the skew, does
 * not know of versions and lives, and drops its node at any answer but 'renewed'.
 */

const KEYS = ['{sys:tsid}:slots', '{sys:tsid}:grants', '{sys:tsid}:meta'];
const VISIBLE = 'sys:tsid:node:';
const textOf = (name: string) => readFileSync(new URL(`./earlier/${name}-node.lua`, import.meta.url), 'utf8');
const texts = { claim: textOf('claim'), renew: textOf('renew'), release: textOf('release') };

export interface EarlierProgram extends FleetProcess {
  /** Answers other than 'renewed', and failed renewals. */
  readonly setbacks: readonly string[];
}

/** Starts one, waiting for a quarantine if there is one. It renews by itself until it is released. */
export async function startEarlierProgram(
  redis: RedisConnection,
  log: MintLog,
  name: string,
  layout: NodeSource['layout'],
): Promise<EarlierProgram> {
  const allocatorId = 'any';
  const pins = [layout.name, layout.epochMs, WINDOW_MS, SKEW_MS];
  const run = async (text: string, keyCount: number, args: readonly (string | number)[]) =>
    (await redis.eval(text, keyCount, ...KEYS.slice(0, keyCount), ...args)) as (string | number)[];
  const claim = randomUUID();
  const claimed = async () =>
    run(texts.claim, 3, [
      claim,
      name,
      0,
      0,
      VISIBLE,
      layout.nodeMax + 1,
      ...pins,
      allocatorId,
      0,
      Date.now(),
    ]);
  let reply = await claimed();
  for (; reply[0] === 'quarantined'; reply = await claimed()) await pause(Math.min(100, Number(reply[1])));
  if (reply[0] !== 'granted') throw new Error(`The earlier program got no node: ${reply.join(' ')}`);
  const pinnedAllocator = String(reply[6]);

  let user: NodeUser | undefined;
  let window: NodeWindow | 'lost' = {
    node: Number(reply[1]),
    floorMs: Number(reply[2]),
    ceilingMs: Number(reply[3]),
  };
  const { node, floorMs } = window;
  const source: NodeSource = {
    layout,
    namespace: randomUUID(),
    runAheadMaxMs: SKEW_MS,
    window: () => window,
    attach: (attached) => {
      user = attached;
      return () => {};
    },
  };
  while (Date.now() < floorMs) await pause(1);
  const setbacks: string[] = [];
  let token = claim;
  const renew = async () => {
    if (window === 'lost') return;
    const nextToken = randomUUID();
    const answer = await run(texts.renew, 3, [
      node,
      token,
      nextToken,
      claim,
      name,
      floorMs,
      window.ceilingMs,
      VISIBLE,
      ...pins,
      pinnedAllocator,
    ]);
    if (answer[0] === 'renewed') {
      token = nextToken;
      window = { node, floorMs, ceilingMs: Number(answer[1]) };
    } else {
      setbacks.push(answer.join(' '));
      window = 'lost';
    }
    user?.windowChanged();
  };
  let isReleased = false;
  const renewing = (async () => {
    for (await pause(WINDOW_MS / 3); !isReleased; await pause(WINDOW_MS / 3)) {
      await renew().catch((error) => setbacks.push(String(error)));
    }
  })();
  const generator = createTsidGenerator({ lease: source, randomStart: false });
  return {
    ...minting(log, name, generator),
    setbacks,
    renew,
    async release() {
      isReleased = true;
      generator.close();
      await renewing;
      await run(texts.release, 2, [node, token, token, (user?.lastMintedMs() ?? floorMs - 1) + 1, VISIBLE]);
    },
  };
}
