import { PageHead } from '../parts/page-head.js';

interface ViewMissingProps {
  readonly title: string;
  readonly lede: string;
}

/** In the place of a view that is not there; only the whole page can be asked for again. */
export function ViewMissing(props: ViewMissingProps) {
  return (
    <div role="alert">
      <PageHead {...props}>
        <button type="button" class="primary" onClick={() => location.reload()}>
          Load the page again
        </button>
      </PageHead>
    </div>
  );
}
