/**
 * The mailbox as a bean. It assembles core, broker and database at start-up, provides the core's
 * services, and finishes the work in progress at shutdown. Maintenance looks after the parts.
 */
@NullMarked
package org.svcmailbox.ejb.mailbox;

import org.jspecify.annotations.NullMarked;
