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
  const { fields } = choice;
  const formats = useAnswer(
    async (client) => {
      if (fields === undefined) return undefined;
      const { projectCode, typeCode } = fields;
      const filter = { projectCode, typeCode };
      const { edges } = await client.documentNumberFormats({ filter, first: 100 });
      return { ...filter, versions: edges.map(({ node }) => node) };
    },
    [fields?.projectCode, fields?.typeCode],
  );
  useEffect(() => {
    if (fields === undefined || fields.projectCode === '' || fields.typeCode === '') return;
    const address = `/formats/${encodeURIComponent(fields.projectCode)}/${encodeURIComponent(fields.typeCode)}`;
    if (location.pathname !== address) route(address, true);
  }, [fields?.projectCode, fields?.typeCode]);
  const { value } = formats;
  // The answer about the series chosen before is still there while the next one is awaited.
  const isAnswered = value?.projectCode === fields?.projectCode && value?.typeCode === fields?.typeCode;
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
        {fields && <Progress of={{ ...formats, value: ofSeries }} />}
        {fields && ofSeries && (
          <>
            <FormatEditor
              key={`${fields.projectCode} ${fields.typeCode}`}
              codes={fields}
              newest={ofSeries[0] ?? { template: FIRST_TEMPLATE, overflow: 'ERROR', version: 0 }}
              mayChange={mayChange}
              onSaved={formats.reload}
            />
            <Versions formats={ofSeries} mayChange={mayChange} onChanged={formats.reload} />
            <DefaultFormat
              key={fields.projectCode}
              projectCode={fields.projectCode}
              template={FIRST_TEMPLATE}
              onSaved={formats.reload}
            />
          </>
        )}
      </div>
    </>
  );
}
