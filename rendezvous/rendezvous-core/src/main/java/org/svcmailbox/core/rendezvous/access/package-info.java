/**
 * Admits requests by address, rate and token, and administers tokens and rules. Invariant: a change
 * is on disk before it is in memory.
 */
@NullMarked
package org.svcmailbox.core.rendezvous.access;

import org.jspecify.annotations.NullMarked;
