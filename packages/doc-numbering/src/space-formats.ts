import { CompiledFormat } from './compiled-format.js';
import { listSeries } from './list-series.js';
import { listFormats } from './save-format.js';
import type { Series } from './series.js';
import type { SqlSession } from './sql-session.js';
import type { TokenRegistry } from './token.js';

/** A format of a number space with the series that uses it. */
export interface SpaceFormat {
  readonly series: Series;
  readonly format: CompiledFormat;
}

/** Every version of every format of a number space, newest first in each series. */
export async function loadSpaceFormats(
  session: SqlSession,
  space: string,
  registry: TokenRegistry,
): Promise<SpaceFormat[]> {
  const all = await listSeries(session, { space });
  const formats = await listFormats(session, { space });
  return formats.reverse().flatMap(({ version, template, overflow, validFrom = '', series: code }) => {
    const series = all.find((one) => one.series === code);
    const format = new CompiledFormat({ version, template, overflow, validFrom }, registry);
    return series ? [{ series, format }] : [];
  });
}
