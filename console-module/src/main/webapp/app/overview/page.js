/** The overview: the state of the service, and the topics that need attention. */
import { historyCharts } from '../charts/history.js';
import { el, fill } from '../dom.js';
import { incomplete, size, undeliverable } from '../format.js';
import { href } from '../router.js';
import { watchedTopics } from '../topics/watched-topics.js';
import { checklist } from './checklist.js';
import { serviceState } from './state.js';
import { openStreams } from './streams.js';
import { totals } from './totals.js';

const WORST = new URLSearchParams({ top: 10, sort: 'letters' });

/** Opens the page. */
export function overviewPage(container) {
  const summary = totals();
  const service = serviceState();
  const charts = historyCharts(['overview']);
  const streams = openStreams();
  const first = checklist();
  const list = watchedTopics({ caption: 'Ten worst topics', updated: update });
  const banner = el('div');
  const disk = el('p.disk', { 'data-disk': '' });
  const notice = el('p.undeliverable');
  const partial = el('p.incomplete');
  const worst = el(
    'section.worst',
    { 'aria-labelledby': 'worst' },
    el(
      'div.page-head',
      {},
      el('h2.pf-c-title.pf-m-xl', { id: 'worst' }, 'Topics with most dead letters'),
      el('a', { href: href(['topics']) }, 'All topics'),
    ),
    list.element,
  );

  fill(
    container,
    banner,
    el('div.page-head', {}, el('h1.pf-c-title.pf-m-2xl', {}, 'Overview'), list.badge),
    service.element,
    first.element,
    charts.element,
    summary.element,
    partial,
    disk,
    notice,
    worst,
    streams.element,
  );
  list.show(WORST);

  function update(all) {
    const { totals: sums, dlq_profile: profile, disk: space, undeliverable: waiting } = all;
    summary.update(sums);
    partial.textContent = incomplete(all.counted);
    worst.hidden = sums.topics === 0;
    first.update(sums);
    warn(profile === 'ephemeral');
    updateDisk(space);
    notice.textContent = undeliverable(waiting);
  }

  /** Without durable storage there is no disk to report. */
  function updateDisk(space) {
    if (space === undefined) {
      return;
    }
    const { free_bytes: free, reserve_bytes: reserve } = space;
    const isFull = free < reserve;
    const text = `Data disk: ${size(free)} free, ${size(reserve)} reserved`;
    disk.dataset.disk = isFull ? 'full' : 'ok';
    disk.textContent = isFull ? `${text}. New messages are refused.` : `${text}.`;
  }

  function warn(isEphemeral) {
    if (isEphemeral !== banner.hasChildNodes()) {
      fill(
        banner,
        isEphemeral &&
          el(
            'div.pf-c-banner.pf-m-gold.ephemeral',
            {},
            'Dead letters are ephemeral: this server stores nothing on disk and loses them when it stops.',
          ),
      );
    }
  }

  return {
    title: 'Overview',
    show: ({ query }) => charts.show(query.get('window')),
    close() {
      list.close();
      first.close();
      service.close();
      charts.close();
      streams.close();
    },
  };
}
