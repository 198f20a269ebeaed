package org.svcmailbox.web.problem;

import jakarta.servlet.http.HttpServletRequest;
import org.svcmailbox.web.trace.Correlation;

/**
 * Identifies the call that a problem belongs to.
 *
 * @param method the HTTP method
 * @param path the encoded path as the client sent it
 * @param correlation the call's id in the log
 * @param address the connection's remote address
 */
public record Call(String method, String path, Correlation correlation, String address) {
  public static Call of(HttpServletRequest http) {
    return of(http, http.getRequestURI());
  }

  /** Uses the path from before an error dispatch. */
  static Call of(HttpServletRequest http, String path) {
    return new Call(http.getMethod(), path, Correlation.of(http), http.getRemoteAddr());
  }
}
