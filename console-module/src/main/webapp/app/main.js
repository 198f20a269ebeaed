/** The application shell: session, navigation and the current page. */
import { onReconnect, watchReadiness } from './connection.js';
import { el, fill } from './dom.js';
import { menu } from './menu.js';
import { clearNotices } from './notices.js';
import { panel } from './problem.js';
import { route } from './router.js';
import {
  canChangePassword,
  currentUser,
  may,
  onSession,
  renew,
  signInUrl,
  signOut,
} from './session.js';
import { themeButton } from './theme.js';
import { closeDialogs } from './actions/dialog.js';
import { passwordDialog } from './actions/password-dialog.js';
import { warnBeforeSessionEnds } from './actions/session-dialog.js';
import { auditPage } from './audit/page.js';
import { capabilitiesPage } from './capabilities/page.js';
import { topicChartsPage } from './charts/page.js';
import { jobsPage } from './jobs/page.js';
import { lettersPage } from './letters/page.js';
import { messagesPage } from './messages/page.js';
import { overviewPage } from './overview/page.js';
import { leasesPage } from './topic/leases-page.js';
import { messagesTab } from './topic/messages-page.js';
import { scheduledPage } from './topic/scheduled-page.js';
import { settingsPage } from './topic/settings-page.js';
import { topicsPage } from './topics/page.js';

/** Whether a route is this tab of a topic. */
const isTab =
  (tab) =>
  ({ parts }) =>
    parts.length === 3 && parts[0] === 'topics' && parts[2] === tab;

/**
 * `open` takes the page's container and the route and returns `{title, show(route), close()}`.
 * `show` runs at once and whenever the URL changes within the page.
 */
const PAGES = [
  {
    name: 'overview',
    matches: ({ parts }) => parts.length === 0 || parts[0] === 'overview',
    open: overviewPage,
  },
  {
    name: 'topics',
    matches: ({ parts }) => parts[0] === 'topics' && parts.length === 1,
    open: topicsPage,
  },
  { name: 'letters', matches: isTab('letters'), open: lettersPage },
  { name: 'topic-messages', matches: isTab('messages'), open: messagesTab },
  { name: 'scheduled', matches: isTab('scheduled'), open: scheduledPage },
  { name: 'leases', matches: isTab('leases'), open: leasesPage },
  { name: 'settings', matches: isTab('settings'), open: settingsPage },
  { name: 'charts', matches: isTab('charts'), open: topicChartsPage },
  {
    name: 'jobs',
    matches: ({ parts }) => parts[0] === 'jobs' && parts.length <= 2,
    open: jobsPage,
  },
  {
    name: 'messages',
    matches: ({ parts }) => parts[0] === 'messages' && parts.length <= 2,
    open: messagesPage,
  },
  {
    name: 'capabilities',
    matches: ({ parts }) => parts[0] === 'capabilities' && parts.length === 1,
    open: capabilitiesPage,
  },
  {
    name: 'audit',
    matches: ({ parts }) => parts[0] === 'audit' && parts.length === 1,
    open: auditPage,
  },
];

/** A URL of no page, such as one that was cut off on its way. */
const UNKNOWN = {
  name: 'unknown',
  open(container) {
    const title = 'No such page';
    fill(
      container,
      el('h1.pf-c-title.pf-m-2xl', {}, title),
      el('p', {}, 'The console has no page at this address. Its pages are in the menu above.'),
    );
    return { title, show() {}, close() {} };
  },
};

const main = document.getElementById('main');
const nav = document.getElementById('nav');
const account = document.getElementById('account');
const theme = themeButton();

let open = null;

async function start() {
  fill(main, el('p', { role: 'status' }, 'Loading \u2026'));
  try {
    // The session listener below shows the page.
    if (!(await renew())) {
      location.replace(signInUrl());
    }
  } catch (error) {
    fill(main, panel(error, start));
  }
}

function showFrame() {
  leave();
  const user = currentUser();
  nav.hidden = user === null;
  nav.querySelector('[data-page=audit]').hidden = !may('audit');
  nav.querySelector('[data-page=capabilities]').hidden = !may('audit');
  fill(
    account,
    user !== null && [
      el('span.frame-user', {}, `${user.user} (${user.role})`),
      canChangePassword() && headButton('Change password', 'password', passwordDialog),
      headButton('Sign out', 'sign-out', end),
    ],
    theme,
  );
  if (user === null) {
    showSignedOut();
  } else {
    showPage();
  }
}

function headButton(text, action, onclick) {
  return el(
    'button.pf-c-button.pf-m-plain.frame-button',
    { type: 'button', 'data-action': action, onclick },
    text,
  );
}

async function end() {
  try {
    await signOut();
    clearNotices();
    history.replaceState(null, '', location.pathname);
    showSignedOut();
  } catch (error) {
    main.prepend(panel(error, end));
  }
}

/** A page and not a redirect: an OpenID Connect provider would sign the user in again at once. */
function showSignedOut() {
  document.title = 'Signed out \u2013 Mailbox console';
  closeDialogs();
  fill(
    main,
    el(
      'div.signed-out',
      {},
      el('h1.pf-c-title.pf-m-xl', {}, 'Signed out'),
      el('p', {}, 'Your session has ended.'),
      el('a.pf-c-button.pf-m-primary', { href: signInUrl(), 'data-action': 'sign-in' }, 'Sign in'),
    ),
  );
}

function showPage() {
  const to = route();
  const page = PAGES.find(({ matches }) => matches(to)) ?? UNKNOWN;
  const key = `${page.name} ${to.parts[0] === 'topics' ? to.parts[1] : ''}`;
  if (open?.key !== key) {
    enter(page, key, to);
  }
  open.page.show(to);
  document.title = `${open.page.title} \u2013 Mailbox console`;
}

function enter(page, key, to) {
  const isFirst = open === null;
  leave();
  const container = el(`div.page-${page.name}`);
  fill(main, container);
  open = { key, page: page.open(container, to) };
  const [section = 'overview'] = to.parts;
  for (const link of nav.querySelectorAll('a')) {
    if (link.dataset.page === section) {
      link.setAttribute('aria-current', page.name === section ? 'page' : 'true');
    } else {
      link.removeAttribute('aria-current');
    }
  }
  if (!isFirst) {
    main.focus();
  }
}

function leave() {
  open?.page.close();
  open = null;
  fill(main);
}

// The router would take a link to `#main` for a page.
document.querySelector('.skip').addEventListener('click', (event) => {
  event.preventDefault();
  main.focus();
});
menu();
onSession(showFrame);
warnBeforeSessionEnds();
onReconnect(() => (open?.page.refresh ?? open?.page.show)?.(route()));
watchReadiness();
addEventListener('hashchange', () => (currentUser() === null ? showSignedOut() : showPage()));
start();
