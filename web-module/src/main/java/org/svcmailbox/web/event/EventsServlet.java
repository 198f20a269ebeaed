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
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.topic.TopicChoice;
import org.svcmailbox.web.capability.Authentication;
import org.svcmailbox.web.http.Query;
import org.svcmailbox.web.problem.Call;
import org.svcmailbox.web.problem.ProblemAnswer;
import org.svcmailbox.web.topic.ChoiceQuery;

/** Streams a list of topics, or one topic, as server-sent events. */
@WebServlet(name = "events", urlPatterns = "/v1/events", asyncSupported = true)
public final class EventsServlet extends HttpServlet {
  private static final String EVERY = "every_ms";
  private static final String LIMIT = "limit";
  private static final String TOP = "top";
  private static final String TOPIC = "topic";
  private static final Set<String> NAMES =
      Set.of(EVERY, LIMIT, TOP, TOPIC, ChoiceQuery.PART, ChoiceQuery.SORT);
  private static final int MOST_TOP = 200;
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
    EventView view = view(query);
    query.end();
    streams.open(caller, view, interval, events, terms -> stream(caller, terms, http, response));
  }

  /** A topic goes alone, and a part or an order with {@code top}. */
  private static EventView view(Query query) {
    TopicName topic = query.value(TOPIC, TopicName::new);
    Long top = query.number(TOP, 1, MOST_TOP);
    TopicChoice choice =
        ChoiceQuery.read(query, top == null ? TopicChoice.ALL.limit() : top.intValue());
    boolean isChosen = query.has(ChoiceQuery.PART) || query.has(ChoiceQuery.SORT);
    if (topic != null && (top != null || isChosen)) {
      query.refuse(TOPIC, "goes without top, q and sort");
    } else if (top == null && isChosen) {
      query.refuse(TOP, "is required with q and sort");
    }
    return topic == null ? new EventView.Chosen(choice) : new EventView.One(topic);
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
