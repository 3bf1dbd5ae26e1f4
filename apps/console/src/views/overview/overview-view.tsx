import { PageHead } from '../../parts/page-head.js';

export function OverviewView() {
  return <PageHead title="Overview" lede="…" />;
}
