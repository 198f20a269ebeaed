package org.svcmailbox.console.session;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.problem.FrameTooLargeException;
import org.svcmailbox.core.problem.MailboxException;
import org.svcmailbox.core.problem.SaturatedException;
import org.svcmailbox.core.problem.SchemaException;

/**
 * A POST endpoint for the console's own scripts. It requires a header that forms of other origins
 * cannot send.
 */
public abstract class ScriptServlet extends HttpServlet {
  /** {@code 1} for user activity, {@code quiet} for background renewal. */
  static final String HEADER = "Mailbox-Console";

  private static final int TOO_MANY_REQUESTS = 429;
  private static final Logger LOG = System.getLogger(ScriptServlet.class.getName());
  private static final long serialVersionUID = 1L;

  /** Handles a request with a valid header. */
  protected abstract void serve(HttpServletRequest request, HttpServletResponse response);

  @Override
  protected final void service(HttpServletRequest request, HttpServletResponse response) {
    if (!request.getMethod().equals("POST")) {
      response.setHeader("Allow", "POST");
      JsonResponses.problem(response, HttpServletResponse.SC_METHOD_NOT_ALLOWED, "use POST");
    } else if (!hasScriptHeader(request.getHeader(HEADER))) {
      JsonResponses.problem(
          response, HttpServletResponse.SC_FORBIDDEN, "header " + HEADER + ": 1 is required");
    } else {
      try {
        serve(request, response);
      } catch (SaturatedException e) {
        LOG.log(Level.INFO, "Console request refused: {0}", e.getMessage());
        response.setHeader("Retry-After", Long.toString(wholeSeconds(e.retryAfter())));
        JsonResponses.problem(
            response, TOO_MANY_REQUESTS, String.valueOf(e.getMessage()), e.reason());
      } catch (SchemaException e) {
        JsonResponses.schema(response, e);
      } catch (FrameTooLargeException e) {
        JsonResponses.problem(
            response,
            HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE,
            String.valueOf(e.getMessage()));
      } catch (MailboxException e) {
        LOG.log(Level.ERROR, "Console request failed", e);
        JsonResponses.problem(
            response, HttpServletResponse.SC_SERVICE_UNAVAILABLE, "the service is not available");
      }
    }
  }

  /** Whether a user's action, and not a timer, caused this request. */
  static boolean isActive(HttpServletRequest request) {
    return "1".equals(request.getHeader(HEADER));
  }

  /** Rounded up, so that the next attempt does not come too early. */
  private static long wholeSeconds(Duration time) {
    return Math.max(1, time.plusSeconds(1).minusNanos(1).toSeconds());
  }

  private static boolean hasScriptHeader(@Nullable String header) {
    return "1".equals(header) || "quiet".equals(header);
  }
}
