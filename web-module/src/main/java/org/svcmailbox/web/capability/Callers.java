package org.svcmailbox.web.capability;

import jakarta.servlet.http.HttpServletRequest;
import org.svcmailbox.core.capability.Caller;

/** Stores the caller of a request in a request attribute. */
public final class Callers {
  private static final String ATTRIBUTE = Caller.class.getName();

  private Callers() {}

  /** Returns the caller of a request that has passed {@link CapabilityFilter}. */
  public static Caller of(HttpServletRequest http) {
    if (http.getAttribute(ATTRIBUTE) instanceof Caller caller) {
      return caller;
    }
    throw new IllegalStateException("the request has not passed authentication");
  }

  static void set(HttpServletRequest http, Caller caller) {
    http.setAttribute(ATTRIBUTE, caller);
  }
}
