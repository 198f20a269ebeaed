/**
 * The port of a backend: a {@link org.svcmailbox.client.spi.MailboxDriver} that moves bytes. {@link
 * org.svcmailbox.client.spi.AbstractMailbox} makes a typed mailbox of it, with everything that is
 * the same for all backends: argument checks, codecs, finalization, replies and closing.
 */
@Experimental
@NullMarked
package org.svcmailbox.client.spi;

import org.jspecify.annotations.NullMarked;
import org.svcmailbox.client.Experimental;
