import {
  callerName,
  chooseDemoUser,
  DEMO_USERS,
  demoUser,
  forgetToken,
  isDemo,
  isKnown,
} from '../session/identity.js';
import { type Theme, theme } from '../session/theme.js';

const THEMES: readonly { readonly value: Theme; readonly text: string }[] = [
  { value: 'auto', text: 'Auto' },
  { value: 'light', text: 'Light' },
  { value: 'dark', text: 'Dark' },
];

export function TopBar() {
  return (
    <header class="top">
      <a class="brand" href="/">
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <rect width="32" height="32" rx="6" fill="var(--accent)" />
          <path
            d="M8 8v16M24 8v16M14 16h4"
            stroke="var(--on-accent)"
            stroke-width="3"
            stroke-linecap="round"
          />
        </svg>
        Solegate
      </a>
      <Who />
      <label class="who">
        <span class="unseen">Colours</span>
        <select
          value={theme.value}
          onChange={({ currentTarget }) => {
            theme.value = currentTarget.value as Theme;
          }}
        >
          {THEMES.map(({ value, text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      </label>
    </header>
  );
}

/** Whom the page asks as: chosen in demo mode, claimed by the token elsewhere. */
function Who() {
  if (isDemo) {
    return (
      <label class="who">
        <span class="quiet small who-label">Ask as</span>
        <select value={demoUser.value} onChange={({ currentTarget }) => chooseDemoUser(currentTarget.value)}>
          <option value="">everybody</option>
          {DEMO_USERS.map((user) => (
            <option key={user} value={user}>
              {user}
            </option>
          ))}
        </select>
      </label>
    );
  }
  if (!isKnown.value) return null;
  return (
    <span class="who">
      <span class="quiet small">{callerName}</span>
      <button type="button" onClick={forgetToken}>
        Forget the token
      </button>
    </span>
  );
}
