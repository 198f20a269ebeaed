/**
 * The port to the broker, which stores messages and dead letters. Invariants: a session belongs to
 * one worker; its changes take effect together at its commit, or not at all.
 */
@NullMarked
package org.svcmailbox.core.broker;

import org.jspecify.annotations.NullMarked;
