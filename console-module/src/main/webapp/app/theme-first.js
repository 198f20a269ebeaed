// A classic script: it runs before the first paint. theme.js does the rest.
document.documentElement.classList.toggle(
  'pf-theme-dark',
  (localStorage.getItem('mailbox.theme') ??
    (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark',
);
