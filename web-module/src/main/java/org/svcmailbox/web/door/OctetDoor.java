package org.svcmailbox.web.door;

import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.envelope.Payload;

/** A {@link MessageDoor} that also takes requests whose body is a bare payload. */
public interface OctetDoor {
  /** Serves one such request. What is thrown is answered as a problem. */
  void serve(Payload body, Caller caller, Exchange exchange);
}
