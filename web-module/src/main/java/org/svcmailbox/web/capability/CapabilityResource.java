package org.svcmailbox.web.capability;

import static java.util.Objects.requireNonNullElse;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.Response.Status;
import jakarta.ws.rs.core.UriInfo;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.CapabilityService;
import org.svcmailbox.core.capability.store.ListedCapability.Kind;
import org.svcmailbox.core.delivery.HoldingService;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.web.answer.Answers;
import org.svcmailbox.web.http.Query;

/** Capability administration: list, mint, revoke, rotate. */
@Path("/capabilities")
@Singleton
@Produces(MediaType.APPLICATION_JSON)
public final class CapabilityResource {
  private static final String KIND = "kind";
  private static final String LIMIT = "limit";
  private static final int DEFAULT_LIMIT = 100;
  private static final Pattern SUBJECT =
      Pattern.compile("nonce:[0-9a-f]{32}|key:[A-Za-z0-9_-]{1,32}");

  @Inject private CapabilityService capabilities;
  @Inject private HoldingService holdings;

  /** For the container; JAX-RS injects fields only. */
  public CapabilityResource() {}

  @SuppressWarnings("UnnecessaryAssignment")
  public CapabilityResource(CapabilityService capabilities, HoldingService holdings) {
    this.capabilities = capabilities;
    this.holdings = holdings;
  }

  /** Lists a page of minted and revoked capabilities. */
  @GET
  public Response list(@Context UriInfo uri, @Context HttpServletRequest http) {
    Query query = new Query(uri, Set.of(KIND, LIMIT, Query.CURSOR));
    Kind kind = requireNonNullElse(query.oneOf(KIND, Kind.values(), Kind::text), Kind.ALL);
    int limit = (int) query.number(LIMIT, 1, CapabilityService.MAX_PAGE, DEFAULT_LIMIT);
    String after = query.cursor(SUBJECT);
    query.end();
    Caller caller = Callers.of(http);
    CapabilityService.CapabilityPage page = capabilities.list(caller, kind, after, limit);
    return Answers.ok(CapabilityListResponse.of(page, leases(caller)));
  }

  /** Null while a worker does not answer, because the list tells enough without. */
  private @Nullable Map<String, Long> leases(Caller caller) {
    try {
      return holdings.leaseCounts(caller);
    } catch (UnavailableException e) {
      return null;
    }
  }

  /** Mints a capability that is at most as broad as the caller's. */
  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  public Response mint(MintRequest body, @Context HttpServletRequest http) {
    MintRequest.Checked request = body.checked();
    CapabilityService.Minted minted =
        capabilities.mint(Callers.of(http), request.caveats(), request.life(), request.note());
    return Answers.of(Status.CREATED, MintResponse.of(minted));
  }

  /** Revokes one capability, or all that one root key minted, and ends their leases if asked to. */
  @POST
  @Path("/revoke")
  @Consumes(MediaType.APPLICATION_JSON)
  public Response revoke(RevokeRequest body, @Context HttpServletRequest http) {
    Caller operator = Callers.of(http);
    CapabilityService.Revoked revoked = capabilities.revoke(operator, body.checked());
    Long released = body.releasesLeases() ? holdings.withdraw(operator, revoked) : null;
    return Answers.ok(new RevokeResponse(true, released));
  }

  /** Makes a new root key the minting key. */
  @POST
  @Path("/rotate")
  @Consumes(MediaType.APPLICATION_JSON)
  public Response rotate(RotateRequest body, @Context HttpServletRequest http) {
    return Answers.ok(new RotateResponse(capabilities.rotate(Callers.of(http))));
  }
}
