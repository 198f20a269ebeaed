package org.svcmailbox.web.delivery;

import org.svcmailbox.core.delivery.SendOutcome.Accepted;

/** The answer to an accepted SEND. */
record SendResponse(String msgId, boolean duplicate) {
  static SendResponse of(Accepted accepted) {
    return new SendResponse(accepted.msgId().toString(), accepted.duplicate());
  }
}
