/**
 * Notices that a client is gone while its request waits for an answer. Invariants: a byte that
 * belongs to a next request is never lost. A watch has ended before the first byte of its answer is
 * written, or behind the last one of an answer that lasts.
 */
@NullMarked
package org.svcmailbox.undertow.disconnect;

import org.jspecify.annotations.NullMarked;
