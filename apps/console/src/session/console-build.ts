/** The script of this page; its name contains a hash of its content. */
const OWN_SCRIPT = document.querySelector('script[type="module"][src]')?.getAttribute('src');

/** Whether the gateway serves a different console than the one running here; false if that cannot be determined. */
export async function isConsoleReplaced(): Promise<boolean> {
  try {
    const response = await fetch('/', { headers: { accept: 'text/html' } });
    return response.ok && OWN_SCRIPT != null && !(await response.text()).includes(OWN_SCRIPT);
  } catch {
    return false;
  }
}
