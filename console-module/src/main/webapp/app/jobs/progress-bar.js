/** PatternFly's progress bar. */
import { el } from '../dom.js';

/**
 * Creates an empty bar.
 *
 * @param labelId the id of the element that labels it
 */
export function progressBar(labelId) {
  const measure = el('span.pf-c-progress__measure');
  const indicator = el('div.pf-c-progress__indicator');
  const bar = el(
    'div.pf-c-progress__bar',
    {
      role: 'progressbar',
      'aria-valuemin': '0',
      'aria-valuemax': '100',
      'aria-labelledby': labelId,
    },
    indicator,
  );
  return {
    element: el(
      'div.pf-c-progress.pf-m-singleline',
      {},
      bar,
      el('div.pf-c-progress__status', { 'aria-hidden': 'true' }, measure),
    ),
    /** Shows the finished share of the total. */
    update(finished, total) {
      const percent = total === 0 ? 100 : Math.floor((100 * finished) / total);
      bar.setAttribute('aria-valuenow', String(percent));
      indicator.style.width = `${percent}%`;
      measure.textContent = `${percent} %`;
    },
  };
}
