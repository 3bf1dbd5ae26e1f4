import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { CopyButton } from './copy-button.js';

interface PageHeadProps {
  readonly title: string;
  /** One sentence on what the view shows. */
  readonly lede: ComponentChildren;
  /** What a button beside the title copies; `what` names it. */
  readonly copied?: { readonly text: string; readonly what: string };
  readonly children?: ComponentChildren;
}

/** The heading of a view, also used as the tab's title. */
export function PageHead({ title, lede, copied, children }: PageHeadProps) {
  useEffect(() => {
    document.title = `${title} · Solegate`;
  }, [title]);
  return (
    <header class="page-head">
      <div>
        <div class="with-copy">
          <h1>{title}</h1>
          {copied && <CopyButton {...copied} />}
        </div>
        <p>{lede}</p>
      </div>
      {children && <div class="row">{children}</div>}
    </header>
  );
}
