/**
 * The mailbox service over HTTP.
 *
 * <p>A call is a {@code Task} of an {@code Endpoint}. The {@code Repeater} makes it until it is
 * answered for good, through the {@code Transport}, which makes one request at a time. A call that
 * need not be a request of its own passes a {@code Batcher} first. Nothing here shows a token.
 */
@NullMarked
package org.svcmailbox.client.http;

import org.jspecify.annotations.NullMarked;
