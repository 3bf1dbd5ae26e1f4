import { useLayoutEffect, useRef } from 'preact/hooks';
import { ErrorBoundary, LocationProvider, Route, Router, useLocation } from 'preact-iso';
import { PageHead } from '../parts/page-head.js';
import { isDemo, isKnown, roles } from '../session/identity.js';
import { AwayBanner } from './away-banner.js';
import { lazyView } from './lazy-view.js';
import { TokenDoor } from './token-door.js';
import { TopBar } from './top-bar.js';
import { ViewBoundary } from './view-boundary.js';
import { VIEWS } from './views.js';

const OverviewView = lazyView(() =>
  import('../views/overview/overview-view.js').then((view) => view.OverviewView),
);
const LoadView = lazyView(() => import('../views/load/load-view.js').then((view) => view.LoadView));
const BreakView = lazyView(() => import('../views/breaking/break-view.js').then((view) => view.BreakView));
const NodesView = lazyView(() => import('../views/nodes/nodes-view.js').then((view) => view.NodesView));
const LedgerView = lazyView(() => import('../views/ledger/ledger-view.js').then((view) => view.LedgerView));
const CountersView = lazyView(() =>
  import('../views/counters/counters-view.js').then((view) => view.CountersView),
);
const FormatsView = lazyView(() =>
  import('../views/formats/formats-view.js').then((view) => view.FormatsView),
);
const CodesView = lazyView(() => import('../views/codes/codes-view.js').then((view) => view.CodesView));
const ApiView = lazyView(() => import('../views/api/api-view.js').then((view) => view.ApiView));
const TripsView = lazyView(() => import('../views/trips/trips-view.js').then((view) => view.TripsView));

export function Shell() {
  return (
    <LocationProvider>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <div class="shell">
        <TopBar />
        <AwayBanner />
        <Navigation />
        <View />
      </div>
    </LocationProvider>
  );
}

function Navigation() {
  const { path } = useLocation();
  const isHere = (start: string): boolean => (start === '/' ? path === '/' : path.startsWith(start));
  const offered = VIEWS.filter(
    (view) => (isDemo || !view.isDemo) && (view.roles?.some((role) => roles.value.has(role)) ?? true),
  );
  return (
    <nav class="views" aria-label="Views">
      {isKnown.value &&
        offered.map((view) => (
          <a key={view.path} href={view.path} aria-current={isHere(view.path) ? 'page' : undefined}>
            {view.name}
          </a>
        ))}
    </nav>
  );
}

/**
 * The view of the current address. After navigation it receives the focus, unless the address only follows a choice
 * made in the view.
 */
function View() {
  const main = useRef<HTMLElement>(null);
  const { path } = useLocation();
  const seen = useRef(path);
  // Before the next key event, which belongs to the new view.
  useLayoutEffect(() => {
    const isChoosing = document.activeElement?.matches('main :is(select, input[list])');
    if (seen.current !== path && !isChoosing) main.current?.focus({ preventScroll: true });
    seen.current = path;
  }, [path]);
  return (
    <main id="main" ref={main} tabIndex={-1}>
      {isKnown.value ? (
        <ViewBoundary>
          <ErrorBoundary>
            <Router>
              <Route path="/" component={OverviewView} />
              <Route path="/load" component={isDemo ? LoadView : Nowhere} />
              <Route path="/break" component={isDemo ? BreakView : Nowhere} />
              <Route path="/trips/:id?" component={TripsView} />
              <Route path="/nodes/:id?" component={NodesView} />
              <Route path="/ledger/:number?" component={LedgerView} />
              <Route path="/counters" component={CountersView} />
              <Route path="/formats/:project?/:type?" component={FormatsView} />
              <Route path="/codes" component={CodesView} />
              <Route path="/api" component={ApiView} />
              <Route default component={Nowhere} />
            </Router>
          </ErrorBoundary>
        </ViewBoundary>
      ) : (
        <TokenDoor />
      )}
    </main>
  );
}

function Nowhere() {
  return (
    <PageHead
      title="Page not found"
      lede={
        <>
          There is no view at this address. <a href="/">Go to the overview</a>.
        </>
      }
    />
  );
}
