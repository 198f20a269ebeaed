package org.svcmailbox.web.history;

import static java.util.Objects.requireNonNullElse;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.history.HistoryService;
import org.svcmailbox.core.history.HistoryService.Question;
import org.svcmailbox.core.history.HistoryService.Window;
import org.svcmailbox.core.history.Series;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.web.answer.Answers;
import org.svcmailbox.web.capability.Callers;
import org.svcmailbox.web.http.Query;

/** The history of the service and its topics. */
@Path("/history")
@Singleton
@Produces(MediaType.APPLICATION_JSON)
public final class HistoryResource {
  private static final String TOPIC = "topic";
  private static final String SERIES = "series";
  private static final String WINDOW = "window";

  @Inject private HistoryService histories;

  /** For the container; JAX-RS injects fields only. */
  public HistoryResource() {}

  @SuppressWarnings("UnnecessaryAssignment")
  public HistoryResource(HistoryService histories) {
    this.histories = histories;
  }

  /** Tells the points of a window. */
  @GET
  public Response read(@Context HttpServletRequest http) {
    Query query = new Query(http, Set.of(TOPIC, SERIES, WINDOW));
    List<TopicName> topics =
        requireNonNullElse(query.values(TOPIC, HistoryResource::topics), List.<TopicName>of());
    Set<Series> given = query.values(SERIES, HistoryResource::series);
    Window window =
        requireNonNullElse(query.oneOf(WINDOW, Window.values(), Window::text), Window.HOUR);
    query.end();
    Question question = question(topics, given == null ? all(topics) : given, window);
    return Answers.ok(HistoryResponse.of(histories.read(Callers.of(http), question), question));
  }

  private static Question question(List<TopicName> topics, Set<Series> series, Window window) {
    if (!topics.isEmpty() && series.contains(Series.REFUSED)) {
      throw new SchemaException(SERIES, "refused is of the service, so name no topic");
    }
    Question question = new Question(topics, series, window);
    if (question.points() > HistoryService.MOST_POINTS) {
      throw new SchemaException(
          TOPIC,
          "times series times points is %d, and at most %d: ask for fewer"
              .formatted(question.points(), HistoryService.MOST_POINTS));
    }
    return question;
  }

  private static Set<Series> all(List<TopicName> topics) {
    return topics.isEmpty() ? EnumSet.allOf(Series.class) : Set.copyOf(Series.OF_TOPIC);
  }

  private static List<TopicName> topics(List<String> names) {
    if (names.size() > HistoryService.MOST_TOPICS || Set.copyOf(names).size() < names.size()) {
      throw new SchemaException(
          TOPIC, "must name at most " + HistoryService.MOST_TOPICS + " topics, each once");
    }
    return names.stream().map(TopicName::new).toList();
  }

  private static Set<Series> series(List<String> names) {
    return names.stream()
        .map(name -> Query.oneOf(SERIES, name, Series.values(), Series::text))
        .collect(Collectors.toSet());
  }
}
