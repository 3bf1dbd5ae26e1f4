/**
 * Returns how much a client wants a media type, from 0 (not at all) to 1, by the most specific range in its `Accept`
 * header that covers the type.
 *
 * @param wildcards whether ranges such as text/* count. Default: true
 */
export function qualityOf(type: string, accept: string | undefined, wildcards = true): number {
  if (accept === undefined) return wildcards ? 1 : 0;
  const ranges = wildcards ? [type, `${type.split('/', 1)[0]}/*`, '*/*'] : [type];
  let best = { rank: ranges.length, quality: 0 };
  for (const part of accept.split(',')) {
    const [range = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const rank = ranges.indexOf(range);
    if (rank === -1 || rank >= best.rank) continue;
    const quality = Number(parameters.find((text) => text.startsWith('q='))?.slice(2) ?? 1);
    best = { rank, quality: Number.isNaN(quality) ? 0 : quality };
  }
  return best.quality;
}
