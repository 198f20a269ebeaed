package org.svcmailbox.web.delivery;

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
import java.util.Set;
import org.svcmailbox.core.delivery.TopicContents;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.settings.TopicSettings;
import org.svcmailbox.web.answer.Answer;
import org.svcmailbox.web.answer.Answers;
import org.svcmailbox.web.answer.Content;
import org.svcmailbox.web.capability.Callers;
import org.svcmailbox.web.http.MediaTypes;
import org.svcmailbox.web.http.Query;

/** Shows the next messages without leasing them. */
@Path("/topics/{topic}/peek")
@Singleton
@Produces(MediaType.APPLICATION_JSON)
public final class PeekResource {
  private static final int DEFAULT_LIMIT = 10;

  @Inject private TopicContents contents;

  /** For the container; JAX-RS injects fields only. */
  public PeekResource() {}

  @SuppressWarnings("UnnecessaryAssignment")
  public PeekResource(TopicContents contents) {
    this.contents = contents;
  }

  /** Returns the first ready messages. */
  @GET
  public Response peek(
      @PathParam("topic") String topic, @Context UriInfo uri, @Context HttpServletRequest http) {
    TopicName name = new TopicName(topic);
    Query query = new Query(uri, Set.of("limit", "shard"));
    int limit = (int) query.number("limit", 1, TopicContents.MAX_PEEKED, DEFAULT_LIMIT);
    Long shard = query.number("shard", 0, TopicSettings.MAX_SHARDS - 1);
    query.end();
    byte[] json =
        ReceivedJson.of(
            contents.peek(Callers.of(http), name, shard == null ? null : shard.intValue(), limit));
    return Answers.of(Answer.of(MediaTypes.JSON, Content.of(json)));
  }
}
