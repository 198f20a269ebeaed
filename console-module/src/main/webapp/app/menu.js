/** The menu of narrow screens, which holds the navigation and the account. */

/** Makes the button open and close it. A link, `Escape` and the way out of it close it. */
export function menu() {
  const head = document.querySelector('.frame-head');
  const button = document.getElementById('menu');

  function open(isOpen) {
    head.classList.toggle('is-open', isOpen);
    button.setAttribute('aria-expanded', String(isOpen));
  }

  button.addEventListener('click', () => open(!head.classList.contains('is-open')));
  head.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape' && head.classList.contains('is-open')) {
      open(false);
      button.focus();
    }
  });
  head.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget !== null && !head.contains(relatedTarget)) {
      open(false);
    }
  });
  addEventListener('hashchange', () => open(false));
}
