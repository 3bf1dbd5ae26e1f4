import type { SqlSession } from '@solegate/postgres-infra';
import { CompiledFormat } from './compiled-format.js';
import type { DocumentFormat } from './document-format.js';
import { listSeries } from './list-series.js';
import type { SeriesFormat } from './read-number.js';
import type { RequestResolver } from './request-resolver.js';
import { listFormats } from './save-format.js';
import type { Series } from './series.js';
import type { TokenRegistry } from './token.js';

/** Every version of every format of a number space, newest first in each series. */
export async function loadSpaceFormats(
  session: SqlSession,
  space: string,
  { registry, resolver }: { registry: TokenRegistry; resolver: RequestResolver },
): Promise<SeriesFormat[]> {
  const all = await listSeries(session, { space });
  const formats = await listFormats(session, { space });
  const found: SeriesFormat[] = [];
  for (const series of all) {
    const fixedCodes = await resolver.fixedCodes(series);
    for (const { version, template, overflow, validFrom = '' } of formats.filter(isOf(series)).reverse()) {
      const format = new CompiledFormat({ version, template, overflow, validFrom }, registry);
      found.push({ series, format, fixedCodes });
    }
  }
  return found;
}

const isOf = (series: Series) => (format: DocumentFormat) => format.series === series.series;
