package org.svcmailbox.web.audit;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import jakarta.ws.rs.core.UriInfo;
import java.util.Set;
import java.util.regex.Pattern;
import org.svcmailbox.core.audit.Actor;
import org.svcmailbox.core.audit.AuditFilter;
import org.svcmailbox.core.audit.AuditFilter.Action;
import org.svcmailbox.core.capability.AuditService;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.web.capability.Callers;
import org.svcmailbox.web.http.MediaTypes;
import org.svcmailbox.web.http.Query;

/** Exports the audit log. */
@Path("/audit")
@Singleton
@Produces(MediaTypes.LINES)
public final class AuditResource {
  private static final String SINCE = "since";
  private static final String UNTIL = "until";
  private static final String ACTION = "action";
  private static final String SUBJECT = "subject";
  private static final String ACTOR_NAME = "actor_name";
  private static final String AFTER = "after";
  private static final String LIMIT = "limit";
  private static final Set<String> NAMES =
      Set.of(SINCE, UNTIL, ACTION, SUBJECT, ACTOR_NAME, AFTER, LIMIT);
  private static final int DEFAULT_LIMIT = 1_000;

  private static final Pattern ACTIONS = Pattern.compile("[a-z0-9._-]{1,64}|[a-z0-9._-]{0,64}\\*");
  private static final Pattern SUBJECTS = Pattern.compile("[\\x21-\\x7e]{1,255}");

  @Inject private AuditService audit;

  /** For the container; JAX-RS injects fields only. */
  public AuditResource() {}

  @SuppressWarnings("UnnecessaryAssignment")
  public AuditResource(AuditService audit) {
    this.audit = audit;
  }

  /** Exports entries; reads the first page before the answer begins. */
  @GET
  public Response export(@Context UriInfo uri, @Context HttpServletRequest http) {
    Query query = new Query(uri, NAMES);
    AuditFilter wanted =
        new AuditFilter(
            query.moment(SINCE),
            query.moment(UNTIL),
            query.value(ACTION, AuditResource::action),
            query.value(SUBJECT, AuditResource::subject),
            query.value(ACTOR_NAME, AuditResource::actorName));
    long after = query.number(AFTER, 0, Long.MAX_VALUE, 0);
    int limit = (int) query.number(LIMIT, 1, AuditService.MAX_ROWS, DEFAULT_LIMIT);
    query.end();
    Caller operator = Callers.of(http);
    StreamingOutput lines =
        AuditExport.begin((from, max) -> audit.audit(operator, wanted, from, max), after, limit);
    return Response.ok(lines, MediaTypes.LINES).build();
  }

  private static Action action(String text) {
    if (!ACTIONS.matcher(text).matches()) {
      throw new SchemaException(ACTION, "must be an action such as topic.put, or topic.*");
    }
    return Action.parse(text);
  }

  private static String actorName(String text) {
    if (text.isEmpty() || text.length() > Actor.MAX_NAME) {
      throw new SchemaException(ACTOR_NAME, "must have 1 to " + Actor.MAX_NAME + " characters");
    }
    return text;
  }

  private static String subject(String text) {
    if (!SUBJECTS.matcher(text).matches()) {
      throw new SchemaException(SUBJECT, "must be a topic, a nonce or a key's id");
    }
    return text;
  }
}
