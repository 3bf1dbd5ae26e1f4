import type { FunctionComponent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { lazy } from 'preact-iso';
import { isConsoleReplaced } from '../session/console-build.js';
import { recoveryCount } from '../session/gateway-state.js';
import { ViewMissing } from './view-missing.js';

/**
 * A view whose file comes when it is opened. Where it does not come, the page says so in its place: a tab that stayed open
 * over an upgrade asks for files that are gone.
 */
export function lazyView<Props>(load: () => Promise<FunctionComponent<Props>>): FunctionComponent<Props> {
  return lazy<FunctionComponent<Props>>(() => load().catch(() => NotLoaded));
}

/**
 * A browser may remember that a file did not come, so only the whole page is asked for again: by itself once the gateway is
 * back, else by a person, so that a broken installation is never asked for again and again.
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
      title="A newer console is installed"
      lede="This tab still runs the one before, whose files are gone."
    />
  ) : (
    <ViewMissing title="This view could not be loaded" lede="The gateway did not send it." />
  );
}
