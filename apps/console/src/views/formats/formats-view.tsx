import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { Failure } from '../../parts/notice.js';
import { PageHead } from '../../parts/page-head.js';
import { SeriesChoice, useSeriesChoice } from '../../parts/series-choice.js';
import { roles } from '../../session/identity.js';
import { useAnswer } from '../../session/use-answer.js';
import { FormatEditor } from './format-editor.js';
import { Versions } from './versions.js';

const FIRST_TEMPLATE = '{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:4}';

export function FormatsView({ project, type }: { readonly project?: string; readonly type?: string }) {
  const { route } = useLocation();
  const choice = useSeriesChoice({ projectCode: project, typeCode: type });
  const formats = useAnswer((client) => client.documentNumberFormats({}), []);
  const { chosen } = choice;
  useEffect(() => {
    if (chosen === undefined || chosen.projectCode === '' || chosen.typeCode === '') return;
    const address = `/formats/${encodeURIComponent(chosen.projectCode)}/${encodeURIComponent(chosen.typeCode)}`;
    if (location.pathname !== address) route(address, true);
  }, [chosen?.projectCode, chosen?.typeCode]);
  const ofSeries = formats.value?.filter(
    (format) => format.project?.code === chosen?.projectCode && format.typeCode === chosen?.typeCode,
  );
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
        <Failure error={formats.error} onRetry={formats.reload} />
        {chosen && ofSeries && (
          <>
            <FormatEditor
              key={`${chosen.projectCode} ${chosen.typeCode}`}
              codes={chosen}
              template={ofSeries[0]?.template ?? FIRST_TEMPLATE}
              isSaved={ofSeries.length > 0}
              mayChange={mayChange}
              onSaved={formats.reload}
            />
            <Versions formats={ofSeries} mayChange={mayChange} onChanged={formats.reload} />
          </>
        )}
      </div>
    </>
  );
}
