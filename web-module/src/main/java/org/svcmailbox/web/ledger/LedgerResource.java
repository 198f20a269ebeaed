package org.svcmailbox.web.ledger;

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
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.ledger.LedgerService;
import org.svcmailbox.core.settings.TopicSettings;
import org.svcmailbox.web.answer.Answers;
import org.svcmailbox.web.capability.Callers;
import org.svcmailbox.web.http.Query;

/** Exports and verifies a shard's ledger. */
@Path("/topics/{topic}/ledger")
@Singleton
@Produces(MediaType.APPLICATION_JSON)
public final class LedgerResource {
  private static final String SHARD = "shard";
  private static final String FROM = "from";
  private static final String LIMIT = "limit";
  private static final int DEFAULT_LIMIT = 100;

  @Inject private LedgerService ledgers;

  /** For the container; JAX-RS injects fields only. */
  public LedgerResource() {}

  @SuppressWarnings("UnnecessaryAssignment")
  public LedgerResource(LedgerService ledgers) {
    this.ledgers = ledgers;
  }

  /** Returns consecutive entries. */
  @GET
  public Response entries(
      @PathParam("topic") String topic, @Context UriInfo uri, @Context HttpServletRequest http) {
    TopicName name = new TopicName(topic);
    Query query = new Query(uri, Set.of(SHARD, FROM, LIMIT));
    int shard = shard(query);
    long from = from(query);
    int limit = (int) query.number(LIMIT, 1, LedgerService.MAX_STRETCH, DEFAULT_LIMIT);
    query.end();
    return Answers.ok(
        LedgerResponse.of(ledgers.ledger(Callers.of(http), name, shard, from, limit)));
  }

  /** Verifies that every entry links to its predecessor. */
  @GET
  @Path("/verify")
  public Response verify(
      @PathParam("topic") String topic, @Context UriInfo uri, @Context HttpServletRequest http) {
    TopicName name = new TopicName(topic);
    Query query = new Query(uri, Set.of(SHARD, FROM));
    int shard = shard(query);
    long from = from(query);
    query.end();
    return Answers.ok(VerdictResponse.of(ledgers.verify(Callers.of(http), name, shard, from)));
  }

  private static int shard(Query query) {
    return (int) query.required(SHARD, 0, TopicSettings.MAX_SHARDS - 1);
  }

  private static long from(Query query) {
    return query.number(FROM, 1, Long.MAX_VALUE, 1);
  }
}
