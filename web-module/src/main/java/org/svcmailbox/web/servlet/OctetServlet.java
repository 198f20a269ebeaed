package org.svcmailbox.web.servlet;

import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.envelope.Payload;

/** A {@link MessageServlet} that also accepts bare payloads. */
public interface OctetServlet {
  /** Serves one such request; exceptions become problems. */
  void serve(Payload body, Caller caller, Exchange exchange);
}
