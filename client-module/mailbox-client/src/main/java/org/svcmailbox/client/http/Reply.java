package org.svcmailbox.client.http;

import org.svcmailbox.client.service.Failure;

/** The result of one request. */
sealed interface Reply permits Answer, Reply.None {
  /** There is no answer. */
  record None(Failure failure) implements Reply {}
}
