/** Light or dark theme: the system's preference until the user chooses. */
import { el } from './dom.js';

const KEY = 'mailbox.theme';
const system = matchMedia('(prefers-color-scheme: dark)');
const root = document.documentElement;

const isDark = () => root.classList.contains('pf-theme-dark');

function show(dark) {
  root.classList.toggle('pf-theme-dark', dark);
}

system.addEventListener('change', () => {
  if (localStorage.getItem(KEY) === null) {
    show(system.matches);
  }
});

/** The button that switches the theme. */
export function themeButton() {
  const button = el('button.pf-c-button.pf-m-plain.frame-button', { type: 'button' });
  const name = () => (button.textContent = isDark() ? 'Light' : 'Dark');
  button.setAttribute('data-action', 'theme');
  button.addEventListener('click', () => {
    show(!isDark());
    localStorage.setItem(KEY, isDark() ? 'dark' : 'light');
    name();
  });
  system.addEventListener('change', name);
  name();
  return button;
}
