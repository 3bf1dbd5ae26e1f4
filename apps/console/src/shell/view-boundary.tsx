import type { ComponentChildren } from 'preact';
import { useEffect, useErrorBoundary, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { ViewMissing } from './view-missing.js';

/** Shows a message instead of an empty page if a view fails to render. Navigating to another view recovers. */
export function ViewBoundary({ children }: { readonly children: ComponentChildren }) {
  const [error, recover] = useErrorBoundary();
  const { path } = useLocation();
  const drawnPath = useRef(path);
  useEffect(() => {
    if (drawnPath.current === path) return;
    drawnPath.current = path;
    if (error !== undefined) recover();
  }, [path, error, recover]);
  if (error === undefined) return children;
  return <ViewMissing title="This view could not be displayed" lede={String(error)} />;
}
