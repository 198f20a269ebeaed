/** The mailbox over HTTP, against services that answer as a test says. */
@NullMarked
package org.svcmailbox.client.http;

import org.jspecify.annotations.NullMarked;
