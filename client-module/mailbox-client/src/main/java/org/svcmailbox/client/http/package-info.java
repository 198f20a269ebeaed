/**
 * The mailbox service over HTTP.
 *
 * <p>A call is a {@code HttpTask} of an {@code Endpoint}. {@code HttpCalls} repeats it until it has
 * a final answer, through the {@code Transport}, which makes one request at a time. No log line,
 * exception or {@code toString} contains a token.
 */
@NullMarked
package org.svcmailbox.client.http;

import org.jspecify.annotations.NullMarked;
