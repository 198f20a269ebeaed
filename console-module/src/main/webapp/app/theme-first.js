// A classic script, so that it runs before the page is drawn. The rest is in theme.js.
document.documentElement.classList.toggle(
  'pf-theme-dark',
  (localStorage.getItem('mailbox.theme') ??
    (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark',
);
