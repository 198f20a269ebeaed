package org.svcmailbox.web.rendezvous;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.Response.Status;
import jakarta.ws.rs.core.UriInfo;
import java.time.Duration;
import java.util.Set;
import java.util.regex.Pattern;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.rendezvous.RendezvousAdmin;
import org.svcmailbox.web.answer.Answers;
import org.svcmailbox.web.capability.Callers;
import org.svcmailbox.web.http.Query;
import org.svcmailbox.web.json.OkResponse;

/** Token administration of the rendezvous door: list, create, remove, rotate. */
@Path("/rendezvous/tokens")
@Singleton
@Produces(MediaType.APPLICATION_JSON)
public final class TokenResource {
  private static final String LIMIT = "limit";
  private static final int DEFAULT_LIMIT = 100;
  private static final Pattern ID = Pattern.compile("[0-9a-f]{16}");

  @Inject private RendezvousAdmin rendezvous;

  /** For the container; JAX-RS injects fields only. */
  public TokenResource() {}

  @SuppressWarnings("UnnecessaryAssignment")
  public TokenResource(RendezvousAdmin rendezvous) {
    this.rendezvous = rendezvous;
  }

  /** Lists tokens by id. */
  @GET
  public Response list(@Context UriInfo uri, @Context HttpServletRequest http) {
    Query query = new Query(uri, Set.of(LIMIT, Query.CURSOR));
    int limit = (int) query.number(LIMIT, 1, RendezvousAdmin.MAX_PAGE, DEFAULT_LIMIT);
    String after = query.cursor(ID);
    query.end();
    return Answers.ok(TokenListResponse.of(rendezvous.tokens(Callers.of(http), after, limit)));
  }

  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  public Response add(AddTokenRequest body, @Context HttpServletRequest http) {
    AddTokenRequest.Checked token = body.checked();
    return created(
        rendezvous.add(
            Callers.of(http), token.mailbox(), token.rights(), token.life(), token.note()));
  }

  @DELETE
  @Path("/{id}")
  public Response remove(@PathParam("id") String id, @Context HttpServletRequest http) {
    rendezvous.remove(Callers.of(http), requireTokenId(id));
    return Answers.ok(OkResponse.OK);
  }

  /** Creates a successor; the old token expires after an overlap. */
  @POST
  @Path("/{id}/rotate")
  @Consumes(MediaType.APPLICATION_JSON)
  public Response rotate(
      @PathParam("id") String id, RotateTokenRequest body, @Context HttpServletRequest http) {
    Duration overlap = body.checked();
    return created(rendezvous.rotate(Callers.of(http), requireTokenId(id), overlap));
  }

  private static Response created(RendezvousAdmin.Issued issued) {
    return Answers.of(Status.CREATED, IssuedTokenResponse.of(issued));
  }

  /** Refuses other text without repeating it, because it may be a token. */
  private static String requireTokenId(String id) {
    if (!ID.matcher(id).matches()) {
      throw new NotFoundException("No token has this id");
    }
    return id;
  }
}
