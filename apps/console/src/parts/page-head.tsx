import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

interface PageHeadProps {
  readonly title: string;
  /** One sentence on what the view shows. */
  readonly lede: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** The heading of a view, also used as the tab's title. */
export function PageHead({ title, lede, children }: PageHeadProps) {
  useEffect(() => {
    document.title = `${title} · Solegate`;
  }, [title]);
  return (
    <header class="page-head">
      <div>
        <h1>{title}</h1>
        <p>{lede}</p>
      </div>
      {children && <div class="row">{children}</div>}
    </header>
  );
}
