/**
 * Test utilities: {@link org.svcmailbox.client.testing.MailboxContract} for authors of backends;
 * mailboxes that drop, collect and fail, and a JUnit 5 extension, for applications.
 */
@NullMarked
package org.svcmailbox.client.testing;

import org.jspecify.annotations.NullMarked;
