/**
 * Mailboxes and listeners as parts of a CDI application.
 *
 * <p>{@code MailboxCdiExtension} gathers what the application declares, {@code Declarations} judges
 * all of it together with the settings, and the deployment fails with every problem at once. The
 * loops run from the application's start to its end. An application that produces a mailbox by
 * itself replaces the one over HTTP.
 */
@NullMarked
package org.svcmailbox.client.cdi;

import org.jspecify.annotations.NullMarked;
