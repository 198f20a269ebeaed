/**
 * The rendezvous service in the server. Invariants: nothing runs while it is off; a change commits
 * with its audit row; tokens leave memory as digests only, except into their owner's file.
 */
@NullMarked
package org.svcmailbox.ejb.rendezvous;

import org.jspecify.annotations.NullMarked;
