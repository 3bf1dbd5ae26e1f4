import { PageHead } from '../parts/page-head.js';

interface ViewMissingProps {
  readonly title: string;
  readonly lede: string;
}

/** Shown in place of a missing view; only the whole page can be reloaded. */
export function ViewMissing(props: ViewMissingProps) {
  return (
    <div role="alert">
      <PageHead {...props}>
        <button type="button" class="primary" onClick={() => location.reload()}>
          Reload the page
        </button>
      </PageHead>
    </div>
  );
}
