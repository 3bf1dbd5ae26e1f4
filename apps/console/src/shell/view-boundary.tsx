import type { ComponentChildren } from 'preact';
import { useEffect, useErrorBoundary, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { ViewMissing } from './view-missing.js';

/** Says so where a view cannot be drawn, instead of an empty page. Another view is tried when it is chosen. */
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
  return <ViewMissing title="This view could not be drawn" lede={String(error)} />;
}
