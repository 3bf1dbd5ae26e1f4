import { Notice } from '../../parts/notice.js';
import type { Result } from '../../session/gateway-client.js';

type Check = Result<'documentNumberFormatCheck'>;

interface TemplateVerdictProps {
  readonly template: string;
  readonly check: Check;
  /** The newest version saved. */
  readonly newest: number;
}

/** The gateway's check of a template: valid, or what is wrong with it and where. */
export function TemplateVerdict({ template, check, newest }: TemplateVerdictProps) {
  if (check.__typename === 'DocumentNumberFormatValid') {
    return isNew(check, newest) ? (
      <Notice kind="good">Ready to save as version {check.version}.</Notice>
    ) : (
      <Notice>This is version {newest}, the newest.</Notice>
    );
  }
  return (
    <Notice kind="limit">
      <MarkedTemplate template={template} position={check.position} />
      <p>{check.message}</p>
      {check.__typename === 'DocumentNumberFormatAmbiguous' && (
        <p>
          Both {check.first} and {check.second} would print <span class="mono">{check.example}</span>.
        </p>
      )}
    </Notice>
  );
}

/** Whether a template can be saved and is not the newest version already. */
export function isNew(check: Check, newest: number): boolean {
  return check.__typename === 'DocumentNumberFormatValid' && check.version > newest;
}

/** The template with the position of its error marked; an error at the end is marked after the last character. */
function MarkedTemplate({ template, position }: { readonly template: string; readonly position: number }) {
  const token = /^\{[^}]*\}?/.exec(template.slice(position))?.[0];
  const length = token?.length ?? 1;
  return (
    <p class="mono marked">
      {template.slice(0, position)}
      <mark>{template.slice(position, position + length) || ' '}</mark>
      {template.slice(position + length)}
      <span class="unseen"> The error starts at character {position + 1}.</span>
    </p>
  );
}
