/**
 * The mailbox as a bean: puts core, broker and database together at start-up, looks after them
 * while they run, and lets what was begun finish at shutdown.
 */
@NullMarked
package org.svcmailbox.ejb.mailbox;

import org.jspecify.annotations.NullMarked;
