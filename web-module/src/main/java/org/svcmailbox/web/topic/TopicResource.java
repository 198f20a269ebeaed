package org.svcmailbox.web.topic;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.Response.Status;
import jakarta.ws.rs.core.UriInfo;
import java.util.Set;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.delivery.HoldingService;
import org.svcmailbox.core.delivery.TopicContents;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.topic.TopicAdmin;
import org.svcmailbox.core.topic.TopicAdmin.TopicStatus;
import org.svcmailbox.core.topic.TopicChoice;
import org.svcmailbox.core.topic.TopicOrder;
import org.svcmailbox.core.topic.TopicOverrides;
import org.svcmailbox.web.answer.Answers;
import org.svcmailbox.web.capability.Callers;
import org.svcmailbox.web.http.Query;
import org.svcmailbox.web.json.OkResponse;

/** Topic administration. */
@Path("/topics")
@Singleton
@Produces(MediaType.APPLICATION_JSON)
public final class TopicResource {
  private static final String LIMIT = "limit";
  private static final String RESET = "reset";
  private static final int DEFAULT_LIMIT = 100;
  private static final int LISTED_LEASES = 50;

  @Inject private TopicAdmin topics;
  @Inject private TopicContents contents;
  @Inject private HoldingService holdings;

  /** For the container; JAX-RS injects fields only. */
  public TopicResource() {}

  @SuppressWarnings("UnnecessaryAssignment")
  public TopicResource(TopicAdmin topics, TopicContents contents, HoldingService holdings) {
    this.topics = topics;
    this.contents = contents;
    this.holdings = holdings;
  }

  /** Lists topics, by name or those with the greatest values. */
  @GET
  public Response list(@Context UriInfo uri, @Context HttpServletRequest http) {
    Query query = new Query(uri, Set.of(LIMIT, Query.CURSOR, ChoiceQuery.PART, ChoiceQuery.SORT));
    int limit = (int) query.number(LIMIT, 1, TopicAdmin.MAX_PAGE, DEFAULT_LIMIT);
    TopicName after = query.value(Query.CURSOR, TopicResource::cursor);
    TopicChoice choice = ChoiceQuery.read(query, limit);
    if (after != null && choice.order() != TopicOrder.NAME) {
      query.refuse(Query.CURSOR, "goes with the order by name alone");
    }
    query.end();
    return Answers.ok(TopicPageResponse.of(topics.page(Callers.of(http), choice, after)));
  }

  private static TopicName cursor(String text) {
    try {
      return new TopicName(text);
    } catch (SchemaException e) {
      throw Query.unknownCursor();
    }
  }

  @GET
  @Path("/{topic}")
  public Response get(@PathParam("topic") String topic, @Context HttpServletRequest http) {
    TopicName name = new TopicName(topic);
    return answer(Status.OK, topics.status(Callers.of(http), name));
  }

  /** Creates a topic, or replaces its settings. */
  @PUT
  @Path("/{topic}")
  @Consumes(MediaType.APPLICATION_JSON)
  public Response put(
      @PathParam("topic") String topic, PutTopicRequest body, @Context HttpServletRequest http) {
    Caller caller = Callers.of(http);
    TopicName name = new TopicName(topic);
    TopicOverrides overrides = body.checked();
    boolean isNew = topics.put(caller, name, overrides, PreconditionHeaders.of(http));
    return answer(isNew ? Status.CREATED : Status.OK, topics.status(caller, name));
  }

  /** A topic, with the version of its settings as {@code ETag}. */
  private static Response answer(Status status, TopicStatus topic) {
    return Response.fromResponse(Answers.of(status, TopicResponse.of(topic)))
        .header(HttpHeaders.ETAG, '"' + topic.topic().version() + '"')
        .build();
  }

  /** Changes some settings of a topic, and keeps the others. */
  @PATCH
  @Path("/{topic}")
  @Consumes(MediaType.APPLICATION_JSON)
  public Response change(
      @PathParam("topic") String topic,
      PutTopicRequest body,
      @Context UriInfo uri,
      @Context HttpServletRequest http) {
    Caller caller = Callers.of(http);
    TopicName name = new TopicName(topic);
    Query query = new Query(uri, Set.of(RESET));
    String reset = query.value(RESET, text -> text);
    query.end();
    topics.change(
        caller, name, PreconditionHeaders.of(http), own -> body.over(own, reset).checked());
    return answer(Status.OK, topics.status(caller, name));
  }

  /** Stops deliveries. */
  @POST
  @Path("/{topic}/pause")
  public Response pause(@PathParam("topic") String topic, @Context HttpServletRequest http) {
    topics.pause(Callers.of(http), new TopicName(topic));
    return Answers.ok(OkResponse.OK);
  }

  /** Resumes deliveries. */
  @POST
  @Path("/{topic}/resume")
  public Response resume(@PathParam("topic") String topic, @Context HttpServletRequest http) {
    topics.resume(Callers.of(http), new TopicName(topic));
    return Answers.ok(OkResponse.OK);
  }

  /** Removes ready and scheduled messages. */
  @POST
  @Path("/{topic}/purge")
  public Response purge(@PathParam("topic") String topic, @Context HttpServletRequest http) {
    return Answers.ok(new PurgeResponse(contents.purge(Callers.of(http), new TopicName(topic))));
  }

  /** Lists the oldest leases. */
  @GET
  @Path("/{topic}/leases")
  public Response leases(
      @PathParam("topic") String topic, @Context UriInfo uri, @Context HttpServletRequest http) {
    Query query = new Query(uri, Set.of(LIMIT));
    int limit = (int) query.number(LIMIT, 1, HoldingService.MOST_LEASES, LISTED_LEASES);
    query.end();
    return Answers.ok(
        LeasesResponse.of(holdings.leases(Callers.of(http), new TopicName(topic), limit)));
  }

  /** Ends leases of the topic. */
  @POST
  @Path("/{topic}/leases/end")
  @Consumes(MediaType.APPLICATION_JSON)
  public Response endLeases(
      @PathParam("topic") String topic, EndLeasesRequest body, @Context HttpServletRequest http) {
    TopicName name = new TopicName(topic);
    EndLeasesRequest.EndLeases what = body.checked();
    return Answers.ok(
        new EndLeasesResponse(
            holdings.withdraw(Callers.of(http), name, what.which(), what.note())));
  }

  /** Removes a topic with its content. */
  @DELETE
  @Path("/{topic}")
  public Response delete(@PathParam("topic") String topic, @Context HttpServletRequest http) {
    TopicName name = new TopicName(topic);
    topics.delete(Callers.of(http), name);
    return Answers.ok(OkResponse.OK);
  }
}
