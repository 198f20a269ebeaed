/**
 * Queues of Artemis: their names, counts and page folders, and the broker's management calls.
 * Invariant: these calls have a session of their own and join no transaction of a worker.
 */
@NullMarked
package org.svcmailbox.ejb.admin;

import org.jspecify.annotations.NullMarked;
