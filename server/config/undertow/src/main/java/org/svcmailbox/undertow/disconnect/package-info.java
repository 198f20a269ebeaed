/**
 * Notices that a client is gone while its request waits for an answer. Invariants: a byte of the
 * next request is never lost. A watch ends before the first byte of its answer is written, or after
 * the last one if the answer lasts.
 */
@NullMarked
package org.svcmailbox.undertow.disconnect;

import org.jspecify.annotations.NullMarked;
