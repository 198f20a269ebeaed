package org.svcmailbox.web.message;

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
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.envelope.CorrId;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.lookup.LookupService;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.web.answer.Answers;
import org.svcmailbox.web.capability.Callers;
import org.svcmailbox.web.http.Query;

/** Finds messages. */
@Path("/messages")
@Singleton
@Produces(MediaType.APPLICATION_JSON)
public final class MessageResource {
  private static final String TOPIC = "topic";
  private static final String KEY = "key";
  private static final String CORR_ID = "corr_id";

  @Inject private LookupService lookups;

  /** For the container; JAX-RS injects fields only. */
  public MessageResource() {}

  @SuppressWarnings("UnnecessaryAssignment")
  public MessageResource(LookupService lookups) {
    this.lookups = lookups;
  }

  /** Lists the messages with a key or a correlation id. */
  @GET
  public Response list(@Context UriInfo uri, @Context HttpServletRequest http) {
    Query query = new Query(uri, Set.of(TOPIC, KEY, CORR_ID));
    TopicName topic = query.value(TOPIC, TopicName::new);
    IdemKey key = query.value(KEY, MessageResource::key);
    CorrId corrId = query.value(CORR_ID, CorrId::new);
    query.end();
    if (topic == null) {
      throw new SchemaException(TOPIC, "is required");
    }
    Caller caller = Callers.of(http);
    if (key != null && corrId == null) {
      return Answers.ok(MatchesResponse.of(lookups.byKey(caller, topic, key)));
    }
    if (corrId != null && key == null) {
      return Answers.ok(MatchesResponse.of(lookups.byCorrId(caller, topic, corrId)));
    }
    throw new SchemaException(KEY, "is needed, or corr_id, but not both");
  }

  private static IdemKey key(String text) {
    try {
      return new IdemKey(text);
    } catch (SchemaException e) {
      throw new SchemaException(KEY, "must have 1 to " + IdemKey.MAX_LENGTH + " characters");
    }
  }

  /** Tells what is known of a message. */
  @GET
  @Path("/{msg_id}")
  public Response read(@PathParam("msg_id") String id, @Context HttpServletRequest http) {
    new Query(http, Set.of()).end();
    return Answers.ok(BiographyResponse.of(lookups.biography(Callers.of(http), MsgId.parse(id))));
  }
}
