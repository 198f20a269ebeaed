package org.svcmailbox.web.problem;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.web.json.Json;

/** What is answered where no resource is: the container's error page, as a problem. */
@WebServlet(name = "problem", urlPatterns = ErrorPage.PATH, asyncSupported = true)
public final class ErrorPage extends HttpServlet {
  static final String PATH = "/problem";
  private static final long serialVersionUID = 1L;

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Call call = new Call(request.getMethod(), path(request));
    ProblemBody problem = problem(request, call);
    response.setStatus(problem.status());
    response.setContentType(ProblemResponse.CONTENT_TYPE);
    ProblemResponse.headers(problem).forEach(response::setHeader);
    byte[] json = Json.bytes(problem.with("instance", call.path()));
    response.setContentLength(json.length);
    response.getOutputStream().write(json);
  }

  private static ProblemBody problem(HttpServletRequest request, Call call) {
    Object thrown = request.getAttribute(RequestDispatcher.ERROR_EXCEPTION);
    return thrown instanceof Throwable throwable
        ? Funnel.thrown(throwable, call)
        : Funnel.outcome(Problems.ofStatus(status(request)), call);
  }

  /** Called by its own path, this page is not there. */
  private static int status(HttpServletRequest request) {
    boolean isError = request.getDispatcherType() == DispatcherType.ERROR;
    Object status = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
    return isError && status instanceof Integer code ? code : HttpServletResponse.SC_NOT_FOUND;
  }

  private static String path(HttpServletRequest request) {
    @Nullable Object path = request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI);
    return path instanceof String original ? original : request.getRequestURI();
  }
}
