/**
 * The mailbox as a bean. It puts core, broker and database together at start-up, hands out the
 * core's services, and lets what was begun finish at shutdown. Maintenance looks after the parts.
 */
@NullMarked
package org.svcmailbox.ejb.mailbox;

import org.jspecify.annotations.NullMarked;
