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
        <span class="unseen">Theme</span>
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

/** The current user: chosen in demo mode, otherwise taken from the token. */
function Who() {
  if (isDemo) {
    return (
      <label class="who">
        <span class="quiet small who-label">Act as</span>
        <select value={demoUser.value} onChange={({ currentTarget }) => chooseDemoUser(currentTarget.value)}>
          <option value="">everyone</option>
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
        Sign out
      </button>
    </span>
  );
}
