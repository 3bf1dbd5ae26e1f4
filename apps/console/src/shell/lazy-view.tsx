import type { FunctionComponent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { lazy } from 'preact-iso';
import { isConsoleReplaced } from '../session/console-build.js';
import { recoveryCount } from '../session/gateway-state.js';
import { ViewMissing } from './view-missing.js';

/**
 * A view whose file is loaded when it is opened. If that fails, a message takes its place: a tab left open across an
 * upgrade requests files that no longer exist.
 */
export function lazyView<Props>(load: () => Promise<FunctionComponent<Props>>): FunctionComponent<Props> {
  return lazy<FunctionComponent<Props>>(() => load().catch(() => NotLoaded));
}

/**
 * A browser might cache the failed load, so only the whole page is reloaded: automatically once the gateway recovers,
 * otherwise by the user, so that a broken installation does not cause a reload loop.
 */
function NotLoaded() {
  const [isReplaced, setReplaced] = useState(false);
  const recoveries = recoveryCount.value;
  const recoveriesAtFirst = useRef(recoveries);
  useEffect(() => {
    if (recoveries !== recoveriesAtFirst.current) location.reload();
  }, [recoveries]);
  useEffect(() => {
    void isConsoleReplaced().then(setReplaced);
  }, []);
  return isReplaced ? (
    <ViewMissing
      title="A new version is available"
      lede="This tab runs the previous version, whose files were removed."
    />
  ) : (
    <ViewMissing title="This view could not be loaded" lede="The gateway did not deliver it." />
  );
}
