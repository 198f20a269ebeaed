/**
 * The rendezvous door in the server: the bean that runs it, its tokens and access rules in the
 * database. Invariants: nothing runs while the door is off; a change and its audit row are one
 * transaction; a token leaves memory only as its digest, except into its owner's file.
 */
@NullMarked
package org.svcmailbox.ejb.rendezvous;

import org.jspecify.annotations.NullMarked;
