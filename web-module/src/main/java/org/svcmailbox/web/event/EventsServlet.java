package org.svcmailbox.web.event;

import jakarta.inject.Inject;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.web.capability.Authentication;
import org.svcmailbox.web.http.Query;
import org.svcmailbox.web.problem.Call;
import org.svcmailbox.web.problem.ProblemAnswer;

/** Streams the topic list as server-sent events. */
@WebServlet(name = "events", urlPatterns = "/v1/events", asyncSupported = true)
public final class EventsServlet extends HttpServlet {
  private static final String EVERY = "every_ms";
  private static final String LIMIT = "limit";
  private static final Set<String> NAMES = Set.of(EVERY, LIMIT);
  private static final int DEFAULT_INTERVAL_MS = 2_000;
  private static final String GET = "GET";
  private static final long serialVersionUID = 1L;

  private final transient Authentication authentication;
  private final transient EventStreams streams;

  @Inject
  public EventsServlet(Authentication authentication, EventStreams streams) {
    this.authentication = authentication;
    this.streams = streams;
  }

  @Override
  protected void service(HttpServletRequest http, HttpServletResponse response) throws IOException {
    Call call = Call.of(http);
    try {
      Caller caller = authentication.caller(http);
      if (GET.equals(http.getMethod())) {
        open(caller, http, response);
      } else {
        ProblemAnswer.refused(HttpServletResponse.SC_METHOD_NOT_ALLOWED, call)
            .with(Map.of("Allow", GET))
            .writeTo(response);
      }
    } catch (RuntimeException e) {
      ProblemAnswer.thrown(e, call).writeTo(response);
    }
  }

  private void open(Caller caller, HttpServletRequest http, HttpServletResponse response) {
    Query query = new Query(http, NAMES);
    Duration interval = Duration.ofMillis(query.number(EVERY, 1_000, 60_000, DEFAULT_INTERVAL_MS));
    int events = (int) query.number(LIMIT, 1, Integer.MAX_VALUE, Integer.MAX_VALUE);
    query.end();
    streams.open(caller, interval, events, terms -> stream(caller, terms, http, response));
  }

  private static EventStream stream(
      Caller caller,
      EventStream.Terms terms,
      HttpServletRequest http,
      HttpServletResponse response) {
    try {
      response.setContentType("text/event-stream");
      response.setHeader("Cache-Control", "no-store");
      // Keeps proxies from buffering the stream.
      response.setHeader("X-Accel-Buffering", "no");
      ServletOutputStream output = response.getOutputStream();
      AsyncContext suspended = http.startAsync();
      // The streams enforce their own deadline.
      suspended.setTimeout(0);
      EventStream stream = new EventStream(caller, terms, output, suspended::complete);
      output.setWriteListener(stream);
      return stream;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
