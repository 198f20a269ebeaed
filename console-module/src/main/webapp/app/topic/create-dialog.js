/** Creates a topic, and never changes one. */
import { actionDialog } from '../actions/action-dialog.js';
import { labelled, topicField } from '../actions/dialog.js';
import { path } from '../api.js';
import { el } from '../dom.js';
import { go, href } from '../router.js';

/** Opens the dialog; the settings follow. */
export function createDialog() {
  const name = topicField();
  name.required = true;
  actionDialog({
    title: 'Create a topic',
    label: 'Create topic',
    parts: [
      el('p', {}, 'It begins with the settings of the service.'),
      labelled('Name', name, 'Letters, digits, dots, underscores and hyphens'),
    ],
    right: () => ({ op: 'admin', topic: name.value }),
    request: () => ({
      method: 'PUT',
      path: path('topics', name.value),
      body: {},
      headers: { 'If-None-Match': '*' },
    }),
    done() {
      go(href(['topics', name.value, 'settings']));
      return `${name.value} is created.`;
    },
  });
}
