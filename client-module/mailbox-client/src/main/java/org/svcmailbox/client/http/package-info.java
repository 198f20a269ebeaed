/**
 * The mailbox service over HTTP.
 *
 * <p>A call is a {@code Task} of an {@code Endpoint}. {@code Calls} make it until it is answered
 * for good, through the {@code Transport}, which makes one request at a time. Nothing here shows a
 * token.
 */
@NullMarked
package org.svcmailbox.client.http;

import org.jspecify.annotations.NullMarked;
