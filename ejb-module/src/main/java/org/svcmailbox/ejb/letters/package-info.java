/**
 * Dead letters in Artemis: their segments, moves, and the sorting of messages that the broker gave
 * up on by itself. Invariant: a copy of a message is only ever sent in the transaction that
 * acknowledges the original.
 */
@NullMarked
package org.svcmailbox.ejb.letters;

import org.jspecify.annotations.NullMarked;
