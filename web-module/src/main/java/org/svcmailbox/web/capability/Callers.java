package org.svcmailbox.web.capability;

import jakarta.servlet.http.HttpServletRequest;
import org.svcmailbox.core.capability.Caller;

/** Who makes a request, from the door to the resource. */
public final class Callers {
  private static final String ATTRIBUTE = Caller.class.getName();

  private Callers() {}

  /** Who makes a request that has passed {@link CapabilityFilter}. */
  public static Caller of(HttpServletRequest http) {
    if (http.getAttribute(ATTRIBUTE) instanceof Caller caller) {
      return caller;
    }
    throw new IllegalStateException("a request has come in without a capability");
  }

  static void set(HttpServletRequest http, Caller caller) {
    http.setAttribute(ATTRIBUTE, caller);
  }
}
