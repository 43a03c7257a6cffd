// How the chat looks, for the panel's style sheet: its theme as a class, its own variables as they are named.
import type { ChatLook } from './chatHost.ts';

export function wear({ theme, styles }: ChatLook): void {
  const { documentElement: html, body } = document;
  if (theme !== undefined) {
    html.style.colorScheme = theme;
    body.classList.toggle('vscode-dark', theme === 'dark');
    body.classList.toggle('vscode-light', theme === 'light');
  }
  for (const [name, value] of Object.entries(styles?.variables ?? {}))
    if (value !== undefined && name.startsWith('--')) html.style.setProperty(name, value);
}

/** Calls back now and whenever the page has another size. */
export function watchSize(tell: (width: number, height: number) => void): void {
  const { documentElement: html } = document;
  let last = '';
  new ResizeObserver(() => {
    const { width, height } = html.getBoundingClientRect();
    const size = `${Math.ceil(width)} ${Math.ceil(height)}`;
    if (size !== last) tell(Math.ceil(width), Math.ceil(height));
    last = size;
  }).observe(html);
}
