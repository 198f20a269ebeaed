package org.svcmailbox.client.http;

/** The result of one request: an {@link Answer} of any status, or a {@link Failure} without one. */
sealed interface Reply permits Answer, Failure {}
