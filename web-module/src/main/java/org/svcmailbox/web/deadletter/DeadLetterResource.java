package org.svcmailbox.web.deadletter;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.svcmailbox.core.deadletter.DeadLetterService;
import org.svcmailbox.core.deadletter.LetterFilter;
import org.svcmailbox.core.deadletter.LetterPosition;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.web.answer.Answer;
import org.svcmailbox.web.answer.Answers;
import org.svcmailbox.web.answer.Content;
import org.svcmailbox.web.capability.Callers;
import org.svcmailbox.web.http.MediaTypes;
import org.svcmailbox.web.http.Query;

/** Lists and reads a topic's dead letters. */
@Path("/dlq/{topic}")
@Singleton
@Produces(MediaType.APPLICATION_JSON)
public final class DeadLetterResource {
  private static final String LIMIT = "limit";
  private static final int DEFAULT_LIMIT = 50;
  private static final Set<String> PAGE_PARAMETERS = pageParameters();

  @Inject private DeadLetterService letters;

  /** For the container; JAX-RS injects fields only. */
  public DeadLetterResource() {}

  @SuppressWarnings("UnnecessaryAssignment")
  public DeadLetterResource(DeadLetterService letters) {
    this.letters = letters;
  }

  private static Set<String> pageParameters() {
    Set<String> names = new HashSet<>(FilterQuery.NAMES);
    names.addAll(List.of(LIMIT, Query.CURSOR));
    return Set.copyOf(names);
  }

  /** Lists letters, newest first. */
  @GET
  public Response list(
      @PathParam("topic") String topic, @Context UriInfo uri, @Context HttpServletRequest http) {
    TopicName name = new TopicName(topic);
    Query query = new Query(uri, PAGE_PARAMETERS);
    LetterFilter filter = FilterQuery.read(query);
    int limit = (int) query.number(LIMIT, 1, DeadLetterService.MAX_PAGE, DEFAULT_LIMIT);
    LetterPosition before =
        Objects.requireNonNullElse(query.value(Query.CURSOR, Cursor::parse), LetterPosition.LAST);
    query.end();
    return json(LetterJson.of(letters.list(Callers.of(http), name, filter, before, limit)));
  }

  /** Groups letters by fingerprint. JAX-RS prefers this literal path over a letter's. */
  @GET
  @Path("/groups")
  public Response groups(
      @PathParam("topic") String topic, @Context UriInfo uri, @Context HttpServletRequest http) {
    TopicName name = new TopicName(topic);
    Query query = new Query(uri, FilterQuery.NAMES);
    LetterFilter filter = FilterQuery.read(query);
    query.end();
    return Answers.ok(GroupsResponse.of(letters.groups(Callers.of(http), name, filter)));
  }

  /** Returns one letter with its payload. */
  @GET
  @Path("/{msg_id}")
  public Response read(
      @PathParam("topic") String topic,
      @PathParam("msg_id") String id,
      @Context UriInfo uri,
      @Context HttpServletRequest http) {
    TopicName name = new TopicName(topic);
    MsgId msgId = MsgId.parse(id);
    new Query(uri, Set.of()).end();
    return json(LetterJson.of(letters.read(Callers.of(http), name, msgId)));
  }

  private static Response json(byte[] json) {
    return Answers.of(Answer.of(MediaTypes.JSON, Content.of(json)));
  }
}
