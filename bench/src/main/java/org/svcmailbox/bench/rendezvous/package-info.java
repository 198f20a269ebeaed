/**
 * The scenario {@code rendezvous}: the rendezvous door and its alternatives.
 *
 * <p>One client on one thread talks to the door and to every peer. Each turn uses new mailboxes.
 */
@NullMarked
package org.svcmailbox.bench.rendezvous;

import org.jspecify.annotations.NullMarked;
