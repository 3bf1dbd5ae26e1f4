/** The script that runs here, named by its content. */
const OWN_SCRIPT = document.querySelector('script[type="module"][src]')?.getAttribute('src');

/** Whether the gateway serves another console than the one that runs here; false while that cannot be known. */
export async function isConsoleReplaced(): Promise<boolean> {
  try {
    const response = await fetch('/');
    return response.ok && OWN_SCRIPT != null && !(await response.text()).includes(OWN_SCRIPT);
  } catch {
    return false;
  }
}
