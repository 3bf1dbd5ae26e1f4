import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';

/**
 * Navigates to what a request returns, unless the user has left in the meantime. A view that was left can stay mounted
 * while the file of the next one is loading; then only the address has changed.
 */
export function useLateRoute() {
  const { route } = useLocation();
  const isMounted = useRef(true);
  useEffect(
    () => () => {
      isMounted.current = false;
    },
    [],
  );
  return async (request: () => Promise<string>): Promise<void> => {
    const { href } = location;
    const address = await request();
    if (isMounted.current && location.href === href) route(address);
  };
}
