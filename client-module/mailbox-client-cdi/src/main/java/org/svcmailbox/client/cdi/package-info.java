/**
 * Mailboxes and listeners as parts of a CDI application.
 *
 * <p>{@code MailboxCdiExtension} collects the application's declarations, {@code Declarations}
 * checks them together with the settings, and the deployment fails with all problems at once. The
 * loops run from the start to the end of the application. A mailbox that the application produces
 * itself replaces the one over HTTP.
 */
@NullMarked
package org.svcmailbox.client.cdi;

import org.jspecify.annotations.NullMarked;
