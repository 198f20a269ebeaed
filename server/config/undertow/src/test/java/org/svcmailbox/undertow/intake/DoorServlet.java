package org.svcmailbox.undertow.intake;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32;

/** A servlet that reads bodies as the application does, and answers what it read. */
final class DoorServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  private static final int PERIOD = 251;
  private static final int PERIODS = 32;
  private static final long PATIENCE_SECONDS = 10;

  private final int maxBody;
  private final transient Semaphore arrived = new Semaphore(0);
  private final transient Semaphore gate = new Semaphore(0);
  private final transient AtomicInteger inside = new AtomicInteger();
  private final transient AtomicInteger served = new AtomicInteger();
  private final transient AtomicInteger mostInside = new AtomicInteger();

  DoorServlet(int maxBody) {
    this.maxBody = maxBody;
  }

  /** The answer to a body. */
  static String seen(byte[] body) {
    CRC32 sum = new CRC32();
    sum.update(body);
    return body.length + " " + sum.getValue();
  }

  /** An answer of so many bytes. */
  static byte[] answer(int bytes) {
    byte[] answer = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      answer[i] = (byte) (i % PERIOD);
    }
    return answer;
  }

  /** Requests that have left the servlet. */
  int served() {
    return served.get();
  }

  /** Requests that are in the servlet. */
  int inside() {
    return inside.get();
  }

  /** The most requests that were in the servlet at a time. */
  int mostInside() {
    return mostInside.get();
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    mostInside.accumulateAndGet(inside.incrementAndGet(), Math::max);
    try {
      answer(request, response);
    } finally {
      served.incrementAndGet();
      inside.decrementAndGet();
    }
  }

  private void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
    String wait = request.getParameter("wait");
    if (wait != null) {
      stay(request, wait);
    }
    String bytes = request.getParameter("answer");
    String token = request.getHeader("Authorization");
    if (request.getServletContext().getAttribute(BodyOwners.FIND) != null
        && (token == null || token.equals("Bearer -"))) {
      response.setStatus(HttpServletResponse.SC_UNAUTHORIZED);
    } else if (bytes != null) {
      response.setContentLength(Integer.parseInt(bytes));
      write(response.getOutputStream(), Integer.parseInt(bytes));
    } else if (request.getContentLengthLong() > maxBody) {
      tooLarge(response, "declared");
    } else {
      byte[] body = request.getInputStream().readNBytes(maxBody + 1);
      if (body.length > maxBody) {
        tooLarge(response, "read");
      } else {
        response.getOutputStream().print(seen(body));
      }
    }
  }

  private void stay(HttpServletRequest request, String when) throws IOException {
    byte[] body = when.equals("read") ? request.getInputStream().readAllBytes() : new byte[0];
    arrived.release();
    gate.acquireUninterruptibly();
    if (body.length > maxBody) {
      throw new IOException("too much");
    }
  }

  /** Waits for a request that stays in the servlet. */
  void awaitArrival() throws InterruptedException {
    if (!arrived.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("nobody came");
    }
  }

  /** Lets such a request go on. */
  void letGo() {
    gate.release();
  }

  private static void write(OutputStream out, int bytes) throws IOException {
    byte[] period = answer(PERIOD * PERIODS);
    for (int left = bytes; left > 0; left -= period.length) {
      out.write(period, 0, Math.min(left, period.length));
    }
  }

  private static void tooLarge(HttpServletResponse response, String how) throws IOException {
    response.setStatus(HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE);
    response.getOutputStream().print(how);
  }
}
