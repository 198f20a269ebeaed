package org.svcmailbox.web.servlet;

import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.envelope.Payload;

/** A {@link MessageServlet} that also takes requests whose body is a bare payload. */
public interface OctetServlet {
  /** Serves one such request. What is thrown is answered as a problem. */
  void serve(Payload body, Caller caller, Exchange exchange);
}
