import type { Numbering } from '@solegate/doc-numbering';

/** Defines a series of the demo, and its format, unless it has one. */
export async function ensureDemoSeries(
  numbering: Numbering,
  { space, series, template }: { readonly space: string; readonly series: string; readonly template: string },
): Promise<void> {
  if ((await numbering.listFormats({ space, series })).length > 0) return;
  await numbering.defineSeries({
    space,
    series,
    dimensions: ['ORG', 'DISCIPLINE'],
    reset: 'year',
    timeZone: 'Asia/Bangkok',
    actor: 'demo',
  });
  await numbering.saveFormat({ space, series, template, actor: 'demo' });
}
