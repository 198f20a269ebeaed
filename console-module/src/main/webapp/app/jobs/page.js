/** Redrive and discard jobs with their progress. */
import { get, path } from '../api.js';
import { el, fill } from '../dom.js';
import { visible } from '../format.js';
import { announce } from '../notices.js';
import { panel } from '../problem.js';
import { href } from '../router.js';
import { JobCard, isUnfinished } from './job-card.js';

const ACTIVE_POLL_MS = 1_000;
const IDLE_POLL_MS = 5_000;
const MAX_SHOWN = 50;

/** Opens the page for all jobs, the jobs of one topic, or a single job. */
export function jobsPage(container) {
  const cards = new Map();
  const title = el('h1.pf-c-title.pf-m-2xl', {}, 'Jobs');
  const all = el('a', { href: href(['jobs']), hidden: true }, 'All jobs');
  const list = el('ul.jobs');
  const failure = el('div');
  const empty = el(
    'p',
    { hidden: true },
    'No jobs yet. Select dead letters of a topic to start one.',
  );
  const loading = el('p', { role: 'status' }, 'Loading \u2026');
  let scope = { id: undefined, topic: '' };
  let timer = 0;
  let request = new AbortController();

  fill(container, el('div.page-head', {}, title, all), failure, loading, empty, list);

  function show({ parts: [, id], query }) {
    scope = { id, topic: query.get('topic') ?? '' };
    title.textContent =
      id !== undefined
        ? `Job ${visible(id)}`
        : scope.topic !== ''
          ? `Jobs of ${visible(scope.topic)}`
          : 'Jobs';
    all.hidden = id === undefined && scope.topic === '';
    cards.clear();
    list.replaceChildren();
    refresh();
  }

  async function refresh() {
    clearTimeout(timer);
    request.abort();
    request = new AbortController();
    const { signal } = request;
    if (document.hidden) {
      return;
    }
    let wait = IDLE_POLL_MS;
    try {
      const jobs = await read(scope, signal);
      failure.replaceChildren();
      draw(jobs);
      wait = jobs.some(isUnfinished) ? ACTIVE_POLL_MS : IDLE_POLL_MS;
    } catch (error) {
      if (signal.aborted) {
        return;
      }
      loading.remove();
      fill(failure, panel(error, refresh));
    }
    timer = setTimeout(refresh, wait);
  }

  function draw(jobs) {
    loading.remove();
    empty.hidden = jobs.length > 0;
    for (const job of jobs) {
      if (!cards.has(job.job_id)) {
        cards.set(job.job_id, new JobCard(job, refresh, announce));
      }
      cards.get(job.job_id).update(job);
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
    refresh,
    close() {
      document.removeEventListener('visibilitychange', refresh);
      clearTimeout(timer);
      request.abort();
    },
  };
}

async function read({ id, topic }, signal) {
  if (id !== undefined) {
    return [await get(path('jobs', id), undefined, signal)];
  }
  const params = new URLSearchParams({
    limit: String(MAX_SHOWN),
    ...(topic === '' ? {} : { topic }),
  });
  return (await get(path('jobs'), params, signal)).jobs;
}
