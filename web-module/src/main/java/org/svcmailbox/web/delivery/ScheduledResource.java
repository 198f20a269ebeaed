package org.svcmailbox.web.delivery;

import static java.util.Objects.requireNonNullElse;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.util.Set;
import org.svcmailbox.core.broker.ScheduledMessage.Position;
import org.svcmailbox.core.delivery.TopicContents;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.web.answer.Answer;
import org.svcmailbox.web.answer.Answers;
import org.svcmailbox.web.answer.Content;
import org.svcmailbox.web.capability.Callers;
import org.svcmailbox.web.http.MediaTypes;
import org.svcmailbox.web.http.Query;
import org.svcmailbox.web.json.OkResponse;

/** Lists and cancels scheduled messages. */
@Path("/topics/{topic}/scheduled")
@Singleton
@Produces(MediaType.APPLICATION_JSON)
public final class ScheduledResource {
  private static final String LIMIT = "limit";
  private static final int DEFAULT_LIMIT = 50;

  @Inject private TopicContents contents;

  /** For the container; JAX-RS injects fields only. */
  public ScheduledResource() {}

  @SuppressWarnings("UnnecessaryAssignment")
  public ScheduledResource(TopicContents contents) {
    this.contents = contents;
  }

  /** Lists messages, soonest first. */
  @GET
  public Response list(
      @PathParam("topic") String topic, @Context UriInfo uri, @Context HttpServletRequest http) {
    TopicName name = new TopicName(topic);
    Query query = new Query(uri, Set.of(LIMIT, Query.CURSOR));
    int limit = (int) query.number(LIMIT, 1, TopicContents.MAX_SCHEDULED, DEFAULT_LIMIT);
    Position after =
        requireNonNullElse(query.value(Query.CURSOR, ScheduledCursor::parse), Position.FIRST);
    query.end();
    byte[] json = ScheduledJson.of(contents.scheduled(Callers.of(http), name, after, limit));
    return Answers.of(Answer.of(MediaTypes.JSON, Content.of(json)));
  }

  /** Removes one message permanently. */
  @DELETE
  @Path("/{msg_id}")
  public Response cancel(
      @PathParam("topic") String topic,
      @PathParam("msg_id") String id,
      @Context HttpServletRequest http) {
    contents.cancelScheduled(Callers.of(http), new TopicName(topic), MsgId.parse(id));
    return Answers.ok(OkResponse.OK);
  }
}
