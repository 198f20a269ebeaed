/**
 * Artemis' queues: their names, counts and page folders, and the broker's management calls.
 * Invariant: these calls use a session of their own and join no worker's transaction.
 */
@NullMarked
package org.svcmailbox.ejb.admin;

import org.jspecify.annotations.NullMarked;
