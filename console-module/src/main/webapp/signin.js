import { watchReadiness } from './app/connection.js';

watchReadiness();
// Browsers do not send the fragment to the server.
const to = document.querySelector('input[name="to"]');
if (to && to.value === '' && location.hash.length > 1) {
  to.value = location.hash;
}
if (window.matchMedia('(prefers-color-scheme: dark)').matches) {
  document.documentElement.classList.add('pf-theme-dark');
}
const user = document.getElementById('user');
const field = user && user.value !== '' ? document.getElementById('password') : user;
field?.focus();
