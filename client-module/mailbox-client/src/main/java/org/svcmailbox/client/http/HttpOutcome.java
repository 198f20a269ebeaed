package org.svcmailbox.client.http;

import org.svcmailbox.client.service.Failure;

/** The result of one request. */
sealed interface HttpOutcome permits HttpAnswer, HttpOutcome.None {
  /** There is no answer. */
  record None(Failure failure) implements HttpOutcome {}
}
