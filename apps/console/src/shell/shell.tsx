import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ErrorBoundary, LocationProvider, Route, Router, useLocation } from 'preact-iso';
import { PageHead } from '../parts/page-head.js';
import { isDemo, isKnown, roles } from '../session/identity.js';
import { AwayBanner } from './away-banner.js';
import { lazyView } from './lazy-view.js';
import { TokenDoor } from './token-door.js';
import { TopBar } from './top-bar.js';
import { ViewBoundary } from './view-boundary.js';
import { VIEWS } from './views.js';

const OverviewView = lazyView(async () => (await import('../views/overview/overview-view.js')).OverviewView);
const LoadView = lazyView(async () => (await import('../views/load/load-view.js')).LoadView);
const BreakView = lazyView(async () => (await import('../views/breaking/break-view.js')).BreakView);
const NodesView = lazyView(async () => (await import('../views/nodes/nodes-view.js')).NodesView);
const LedgerView = lazyView(async () => (await import('../views/ledger/ledger-view.js')).LedgerView);
const CountersView = lazyView(async () => (await import('../views/counters/counters-view.js')).CountersView);
const FormatsView = lazyView(async () => (await import('../views/formats/formats-view.js')).FormatsView);
const CodesView = lazyView(async () => (await import('../views/codes/codes-view.js')).CodesView);
const ApiView = lazyView(async () => (await import('../views/api/api-view.js')).ApiView);
const TripsView = lazyView(async () => (await import('../views/trips/trips-view.js')).TripsView);

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
  // Drawn again without the view that was left, which is no longer the one that the navigation marks.
  const [isLoading, setLoading] = useState(false);
  // Before the next key event, which belongs to the new view.
  useLayoutEffect(() => {
    const isChoosing = document.activeElement?.matches('main :is(select, input[list])');
    if (seen.current !== path && !isChoosing) main.current?.focus({ preventScroll: true });
    seen.current = path;
  }, [path]);
  return (
    <main id="main" ref={main} tabIndex={-1} aria-busy={isLoading}>
      {isKnown.value ? (
        <ViewBoundary>
          <ErrorBoundary>
            <Router onLoadStart={() => setLoading(true)} onLoadEnd={() => setLoading(false)}>
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
