/** Calls a handler over HTTP. */
@NullMarked
package org.svcmailbox.outbox.http;

import org.jspecify.annotations.NullMarked;
