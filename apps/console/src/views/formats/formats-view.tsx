import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { Progress } from '../../parts/notice.js';
import { PageHead } from '../../parts/page-head.js';
import { SeriesChoice, useSeriesChoice } from '../../parts/series-choice.js';
import { roles } from '../../session/identity.js';
import { useAnswer } from '../../session/use-answer.js';
import { DefaultFormat } from './default-format.js';
import { FormatEditor } from './format-editor.js';
import { Versions } from './versions.js';

const FIRST_TEMPLATE = '{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:4}';

export function FormatsView({ project, type }: { readonly project?: string; readonly type?: string }) {
  const { route } = useLocation();
  const choice = useSeriesChoice({ projectCode: project, typeCode: type });
  // A template in the editor is kept while another code is typed.
  const { fields: chosen } = choice;
  const formats = useAnswer(
    async (client) => {
      if (chosen === undefined) return undefined;
      const { projectCode, typeCode } = chosen;
      const filter = { projectCode, typeCode };
      const { edges } = await client.documentNumberFormats({ filter, first: 100 });
      return { ...filter, versions: edges.map(({ node }) => node) };
    },
    [chosen?.projectCode, chosen?.typeCode],
  );
  useEffect(() => {
    if (chosen === undefined || chosen.projectCode === '' || chosen.typeCode === '') return;
    const address = `/formats/${encodeURIComponent(chosen.projectCode)}/${encodeURIComponent(chosen.typeCode)}`;
    if (location.pathname !== address) route(address, true);
  }, [chosen?.projectCode, chosen?.typeCode]);
  const { value } = formats;
  // The answer about the series chosen before is still there while the next one is awaited.
  const isAnswered = value?.projectCode === chosen?.projectCode && value?.typeCode === chosen?.typeCode;
  const ofSeries = isAnswered ? value?.versions : undefined;
  const mayChange = roles.value.has('admin');
  return (
    <>
      <PageHead
        title="Formats"
        lede="How numbers are printed. A template that lets two counters print the same number is refused."
      />
      <div class="stack">
        <section class="panel row end">
          <SeriesChoice choice={choice} />
        </section>
        {chosen && <Progress of={{ ...formats, value: ofSeries }} />}
        {chosen && ofSeries && (
          <>
            <FormatEditor
              key={`${chosen.projectCode} ${chosen.typeCode}`}
              codes={chosen}
              newest={ofSeries[0] ?? { template: FIRST_TEMPLATE, overflow: 'ERROR', version: 0 }}
              mayChange={mayChange}
              onSaved={formats.reload}
            />
            <Versions formats={ofSeries} mayChange={mayChange} onChanged={formats.reload} />
            <DefaultFormat
              key={chosen.projectCode}
              projectCode={chosen.projectCode}
              template={FIRST_TEMPLATE}
              onSaved={formats.reload}
            />
          </>
        )}
      </div>
    </>
  );
}
