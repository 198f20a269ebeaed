/** The frame around the rooms: who is signed in, which room is open, and what is shown in it. */
import { onReturn } from './connection.js';
import { el, fill } from './dom.js';
import { clearNotices } from './notices.js';
import { panel } from './problem.js';
import { route } from './router.js';
import { mayAct, onSession, renew, signInAddress, signOut, who } from './session.js';
import { themeButton } from './theme.js';
import { auditRoom } from './audit/room.js';
import { jobsRoom } from './jobs/room.js';
import { lettersRoom } from './letters/room.js';
import { overviewRoom } from './overview/room.js';

/**
 * A room is a function from its place on the page to `{title, show(route), close()}`; `show` is called
 * at once and whenever the URL changes within the room.
 */
const ROOMS = [
  {
    name: 'overview',
    fits: ({ parts }) => parts.length === 0 || parts[0] === 'overview',
    open: overviewRoom,
  },
  {
    name: 'letters',
    fits: ({ parts }) => parts.length === 3 && parts[0] === 'topics' && parts[2] === 'letters',
    open: lettersRoom,
  },
  { name: 'jobs', fits: ({ parts }) => parts[0] === 'jobs' && parts.length <= 2, open: jobsRoom },
  {
    name: 'audit',
    fits: ({ parts }) => parts[0] === 'audit' && parts.length === 1,
    open: auditRoom,
  },
];

const main = document.getElementById('main');
const nav = document.getElementById('nav');
const account = document.getElementById('account');
const theme = themeButton();

let open = null;

async function start() {
  fill(main, el('p', { role: 'status' }, 'Signing in \u2026'));
  try {
    // Who is signed in is shown by the listener below.
    if (!(await renew())) {
      showFrame();
    }
  } catch (error) {
    fill(main, panel(error, start));
  }
}

function showFrame() {
  leave();
  const user = who();
  nav.hidden = user === null;
  nav.querySelector('[data-room=audit]').hidden = !mayAct();
  fill(
    account,
    user !== null && [el('span.frame-user', {}, `${user.user} (${user.role})`), signOutButton()],
    theme,
  );
  if (user === null) {
    showSignedOut();
  } else {
    showRoom();
  }
}

function signOutButton() {
  return el(
    'button.pf-c-button.pf-m-plain.frame-button',
    { type: 'button', 'data-action': 'sign-out', onclick: end },
    'Sign out',
  );
}

async function end() {
  try {
    await signOut();
    clearNotices();
    history.replaceState(null, '', location.pathname);
  } catch (error) {
    main.prepend(panel(error, end));
  }
}

function showSignedOut() {
  document.title = 'Sign in \u2013 Mailbox console';
  fill(
    main,
    el(
      'div.pf-c-empty-state',
      {},
      el(
        'div.pf-c-empty-state__content',
        {},
        el('h1.pf-c-title.pf-m-xl', {}, 'You are not signed in'),
        el(
          'p.pf-c-empty-state__body',
          {},
          'Topics, dead letters, jobs and the audit are shown to viewers and operators.',
        ),
        el(
          'a.pf-c-button.pf-m-primary',
          { href: signInAddress(), 'data-action': 'sign-in' },
          'Sign in',
        ),
      ),
    ),
  );
}

function showRoom() {
  const to = route();
  const room = ROOMS.find(({ fits }) => fits(to)) ?? ROOMS[0];
  const key = `${room.name} ${room.name === 'letters' ? to.parts[1] : ''}`;
  const isNew = open?.key !== key;
  if (isNew) {
    enter(room, key, to);
  }
  open.room.show(to);
  document.title = `${open.room.title} \u2013 Mailbox console`;
}

function enter(room, key, to) {
  const isFirst = open === null;
  leave();
  const place = el(`div.room.room-${room.name}`);
  fill(main, place);
  open = { key, room: room.open(place, to) };
  for (const link of nav.querySelectorAll('a')) {
    if (link.dataset.room === room.name) {
      link.setAttribute('aria-current', 'page');
    } else {
      link.removeAttribute('aria-current');
    }
  }
  if (!isFirst) {
    main.focus();
  }
}

function leave() {
  open?.room.close();
  open = null;
  fill(main);
}

// A link to `#main` would be a room to the router.
document.querySelector('.skip').addEventListener('click', (event) => {
  event.preventDefault();
  main.focus();
});
onSession(showFrame);
onReturn(() => open?.room.show(route()));
addEventListener('hashchange', () => (who() === null ? showSignedOut() : showRoom()));
start();
