package org.svcmailbox.web.topic;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.Response.Status;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.topic.TopicAdmin;
import org.svcmailbox.core.topic.TopicOverrides;
import org.svcmailbox.web.capability.Callers;
import org.svcmailbox.web.json.Answers;
import org.svcmailbox.web.json.OkResponse;

/** Topics: list, look at, make or change, remove. */
@Path("/topics")
@Singleton
@Produces(MediaType.APPLICATION_JSON)
public final class TopicResource {
  @Inject private TopicAdmin topics;

  /** For the container, which fills the fields: JAX-RS knows no constructor injection. */
  public TopicResource() {}

  /** With what the container would give. */
  @SuppressWarnings("UnnecessaryAssignment")
  public TopicResource(TopicAdmin topics) {
    this.topics = topics;
  }

  /** Every topic. */
  @GET
  public Response list(@Context HttpServletRequest http) {
    return Answers.ok(TopicListResponse.of(topics.list(Callers.of(http))));
  }

  /** One topic. */
  @GET
  @Path("/{topic}")
  public Response get(@PathParam("topic") String topic, @Context HttpServletRequest http) {
    TopicName name = new TopicName(topic);
    return Answers.ok(TopicResponse.of(topics.status(Callers.of(http), name)));
  }

  /** Makes a topic, or replaces the settings of the one that is there. */
  @PUT
  @Path("/{topic}")
  @Consumes(MediaType.APPLICATION_JSON)
  public Response put(
      @PathParam("topic") String topic, PutTopicRequest body, @Context HttpServletRequest http) {
    Caller caller = Callers.of(http);
    TopicName name = new TopicName(topic);
    TopicOverrides overrides = body.checked();
    boolean isNew = topics.put(caller, name, overrides);
    Status status = isNew ? Status.CREATED : Status.OK;
    return Answers.of(status, TopicResponse.of(topics.status(caller, name)));
  }

  /** Removes a topic with all that is in it. */
  @DELETE
  @Path("/{topic}")
  public Response delete(@PathParam("topic") String topic, @Context HttpServletRequest http) {
    TopicName name = new TopicName(topic);
    topics.delete(Callers.of(http), name);
    return Answers.ok(OkResponse.OK);
  }
}
