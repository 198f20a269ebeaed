package org.svcmailbox.web.problem;

import static jakarta.servlet.http.HttpServletResponse.SC_FORBIDDEN;
import static jakarta.servlet.http.HttpServletResponse.SC_NOT_FOUND;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.web.answer.Answer;

/** The container's error page: answers errors outside JAX-RS as problems. */
@WebServlet(name = "problem", urlPatterns = ErrorPage.PATH, asyncSupported = true)
public final class ErrorPage extends HttpServlet {
  static final String PATH = "/problem";
  private static final long serialVersionUID = 1L;

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    answer(request, Call.of(request, path(request))).writeTo(response);
  }

  private static Answer answer(HttpServletRequest request, Call call) {
    return request.getAttribute(RequestDispatcher.ERROR_EXCEPTION) instanceof Throwable thrown
            && !isNoSuchPath(thrown)
        ? ProblemAnswer.thrown(thrown, call)
        : ProblemAnswer.refused(status(request), call);
  }

  /** Open Liberty reports an unknown path by an exception. */
  private static boolean isNoSuchPath(Throwable thrown) {
    return thrown instanceof ServletException wrapper
        ? wrapper.getRootCause() instanceof FileNotFoundException
        : thrown instanceof FileNotFoundException;
  }

  /** 404 when called directly, and for a directory, which the container refuses with 403. */
  private static int status(HttpServletRequest request) {
    Object status = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
    if (request.getDispatcherType() != DispatcherType.ERROR || !(status instanceof Integer code)) {
      return SC_NOT_FOUND;
    }
    return code == SC_FORBIDDEN ? SC_NOT_FOUND : code;
  }

  private static String path(HttpServletRequest request) {
    @Nullable Object path = request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI);
    return path instanceof String original ? original : request.getRequestURI();
  }
}
