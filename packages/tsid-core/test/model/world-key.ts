import { type Memory, QUARANTINE_MS, type Server, SKEW_MS } from './lease-rules.js';
import type { Process, World } from './world.js';

/*
 * One number for all states that behave alike: names count only by who has them, times only relative to the present,
 * versions only relative to the lowest, and processes are interchangeable. A time further back than any rule looks counts as
 * long ago.
 */

const LONG_AGO_MS = 2 * QUARANTINE_MS + 3_700_000;

/** 53 bits of a hash: among ten million states, the odds that two share it are 1 in 180. */
export function keyOf(world: World): number {
  return hashOf(textOf(world));
}

function textOf({ now, current, frozen, dump, processes, owned, faultCount }: World): string {
  const relative = (ms: number | undefined) =>
    ms === undefined ? '' : ms - now < -LONG_AGO_MS ? 'o' : ms - now;
  const memories = [current.memory, frozen?.server.memory, dump?.memory];
  let lowest = Number.POSITIVE_INFINITY;
  for (const memory of memories) if (memory?.meta.version) lowest = Math.min(lowest, memory.meta.version);
  for (const process of processes) if (process) lowest = Math.min(lowest, process.version);
  const people: { readonly text: string; readonly process: Process }[] = [];
  for (const process of processes) {
    if (process === undefined) continue;
    const { version, isCutOff, isDue, held } = process;
    const holding =
      held === undefined
        ? ''
        : `${held.node}:${relative(held.floor)}-${relative(held.ceiling)}${held.token === held.claim ? '=' : ''}`;
    people.push({ text: `${version - lowest}${isCutOff ? 'x' : ''}${isDue ? '!' : ''}${holding}`, process });
  }
  people.sort((one, other) => (one.text < other.text ? -1 : 1));

  const names = new Map<string, string>();
  for (const [index, { process }] of people.entries()) {
    const { held } = process;
    if (held === undefined) continue;
    names.set(held.claim, `c${index}`);
    names.set(held.nextToken, `n${index}`);
    if (held.token !== held.claim) names.set(held.token, `t${index}`);
  }
  const named = (name: string) => names.get(name) ?? '?';
  const numbers = new Map<string, number>();
  const numbered = (name: string | undefined) => {
    if (name === undefined) return '';
    const number = numbers.get(name) ?? numbers.size;
    numbers.set(name, number);
    return number;
  };
  const serverText = (server: Server) => `${numbered(server.run)}@${server.offsetMs}`;
  const memoryText = ({ slots, grants, meta, isCopy }: Memory) => {
    let text = isCopy ? 'c' : '';
    for (let node = 0; node < grants.length; node++) {
      const grant = grants[node];
      text += `${relative(slots[node])};`;
      if (grant !== undefined) {
        const token = grant.token === '-' ? '-' : named(grant.token);
        text += `${token}${named(grant.claim)}${relative(grant.floor)}/${numbered(grant.life)}`;
      }
    }
    const version = meta.version === undefined ? '' : meta.version - lowest;
    return (
      `${text}|${numbered(meta.run)},${meta.slotCount},${meta.grantCount},${numbered(meta.life)},${version},` +
      `${relative(meta.touched)},${relative(meta.safeAfter)},${meta.reason},${meta.quarantineMs},${meta.fresh},` +
      `${relative(meta.written)}`
    );
  };
  const since = (at: number) => (now - at > QUARANTINE_MS ? 'l' : now - at);
  let text = `${faultCount} ${serverText(current)} ${memoryText(current.memory)}`;
  for (const person of people) text += ` ${person.text}`;
  if (frozen !== undefined)
    text += ` f${since(frozen.at)} ${serverText(frozen.server)} ${memoryText(frozen.server.memory)}`;
  if (dump !== undefined) text += ` d${since(dump.at)} ${memoryText(dump.memory)}`;
  const times: string[] = [];
  for (const { node, from, to, claim } of owned)
    if (to > now - SKEW_MS) times.push(`${node}:${relative(from)}-${relative(to)}${named(claim)}`);
  return `${text} ${times.sort().join()}`;
}

/** Two different 32-bit hashes of the text, joined. */
function hashOf(text: string): number {
  let one = 0x811c9dc5;
  let other = 0x9e3779b9;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    one = Math.imul(one ^ code, 0x01000193);
    other = Math.imul(other ^ code, 0x85ebca6b) ^ (other >>> 13);
  }
  return (one >>> 0) * 2 ** 21 + ((other ^ (other >>> 16)) >>> 11);
}
