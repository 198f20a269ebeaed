/** Jobs: how far they are, and what may be done with them. */
import { get, path } from '../api.js';
import { el, fill } from '../dom.js';
import { announce } from '../notices.js';
import { panel } from '../problem.js';
import { href } from '../router.js';
import { JobCard, isUnfinished } from './job-card.js';

const SOON_MS = 1_000;
const LATER_MS = 5_000;
const AT_MOST = 50;

/** Opens it; for all jobs, those of a topic, or one. */
export function jobsRoom(place) {
  const cards = new Map();
  const title = el('h1.pf-c-title.pf-m-2xl', {}, 'Jobs');
  const all = el('a', { href: href(['jobs']), hidden: true }, 'All jobs');
  const list = el('ul.jobs');
  const failure = el('div');
  const nothing = el(
    'p',
    { hidden: true },
    'No job was begun yet. They begin with a selection of dead letters.',
  );
  let which = { id: undefined, topic: '' };
  let timer = 0;
  let asked = new AbortController();

  fill(place, el('div.room-head', {}, title, all), failure, nothing, list);

  function show({ parts: [, id], query }) {
    which = { id, topic: query.get('topic') ?? '' };
    title.textContent =
      id !== undefined ? `Job ${id}` : which.topic !== '' ? `Jobs of ${which.topic}` : 'Jobs';
    all.hidden = id === undefined && which.topic === '';
    cards.clear();
    list.replaceChildren();
    refresh();
  }

  async function refresh() {
    clearTimeout(timer);
    asked.abort();
    asked = new AbortController();
    const { signal } = asked;
    if (document.hidden) {
      return;
    }
    let wait = LATER_MS;
    try {
      const jobs = await read(which, signal);
      failure.replaceChildren();
      draw(jobs);
      wait = jobs.some(isUnfinished) ? SOON_MS : LATER_MS;
    } catch (error) {
      if (signal.aborted) {
        return;
      }
      fill(failure, panel(error, refresh));
    }
    timer = setTimeout(refresh, wait);
  }

  function draw(jobs) {
    nothing.hidden = jobs.length > 0;
    for (const job of jobs) {
      if (!cards.has(job.job_id)) {
        cards.set(job.job_id, new JobCard(job, refresh, announce));
      }
      cards.get(job.job_id).tell(job);
    }
    const elements = jobs.map((job) => cards.get(job.job_id).element);
    if (
      elements.some((card, i) => card !== list.children[i]) ||
      elements.length !== list.children.length
    ) {
      list.replaceChildren(...elements);
    }
  }

  document.addEventListener('visibilitychange', refresh);
  return {
    title: 'Jobs',
    show,
    close() {
      document.removeEventListener('visibilitychange', refresh);
      clearTimeout(timer);
      asked.abort();
    },
  };
}

async function read({ id, topic }, signal) {
  if (id !== undefined) {
    return [await get(path('jobs', id), undefined, signal)];
  }
  const params = new URLSearchParams({
    limit: String(AT_MOST),
    ...(topic === '' ? {} : { topic }),
  });
  return (await get(path('jobs'), params, signal)).jobs;
}
