package org.svcmailbox.web.problem;

import jakarta.servlet.http.HttpServletRequest;
import org.svcmailbox.web.trace.Correlation;

/**
 * Which call a problem belongs to.
 *
 * @param method the HTTP method
 * @param path the path as the client wrote it, still encoded
 * @param correlation what the log calls it
 */
public record Call(String method, String path, Correlation correlation) {
  /** The call that a request is. */
  public static Call of(HttpServletRequest http) {
    return of(http, http.getRequestURI());
  }

  /** The same with the path that was called first. */
  static Call of(HttpServletRequest http, String path) {
    return new Call(http.getMethod(), path, Correlation.of(http));
  }
}
