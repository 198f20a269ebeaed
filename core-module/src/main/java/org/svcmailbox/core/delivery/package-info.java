/**
 * A message's life from SEND to ACK. Invariants: a message has at most one live lease; answers
 * follow the commit; messages of a broken session return to the broker.
 */
@NullMarked
package org.svcmailbox.core.delivery;

import org.jspecify.annotations.NullMarked;
