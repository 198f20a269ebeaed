package org.svcmailbox.console.session;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.problem.MailboxException;

/**
 * What only the console's own scripts may ask for: with a header that no form and no link of
 * another origin can send.
 */
abstract class ScriptServlet extends HttpServlet {
  /** {@code 1} for what somebody does, {@code quiet} for what a page does by itself. */
  static final String HEADER = "Mailbox-Console";

  private static final Logger LOG = System.getLogger(ScriptServlet.class.getName());
  private static final long serialVersionUID = 1L;

  /** Serves a request that a script has made. */
  abstract void serve(HttpServletRequest request, HttpServletResponse response);

  @Override
  protected final void service(HttpServletRequest request, HttpServletResponse response) {
    if (!request.getMethod().equals("POST")) {
      response.setHeader("Allow", "POST");
      ScriptReplies.problem(response, HttpServletResponse.SC_METHOD_NOT_ALLOWED, "only POST");
    } else if (!isOfScript(request.getHeader(HEADER))) {
      ScriptReplies.problem(
          response, HttpServletResponse.SC_FORBIDDEN, "needs the header " + HEADER + ": 1");
    } else {
      try {
        serve(request, response);
      } catch (MailboxException e) {
        LOG.log(Level.ERROR, "The console was not served", e);
        ScriptReplies.problem(
            response, HttpServletResponse.SC_SERVICE_UNAVAILABLE, "the service is not available");
      }
    }
  }

  private static boolean isOfScript(@Nullable String header) {
    return "1".equals(header) || "quiet".equals(header);
  }
}
