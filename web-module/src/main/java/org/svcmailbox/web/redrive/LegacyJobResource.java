package org.svcmailbox.web.redrive;

import jakarta.inject.Singleton;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.svcmailbox.core.redrive.RedriveService;

/**
 * A job at its former path, for existing clients. No {@code msg_id} matches the path's pattern, so
 * a topic may be named {@code jobs}.
 */
@Path("/dlq/jobs/{job_id: j[0-9a-f]{16}}")
@Singleton
@Produces(MediaType.APPLICATION_JSON)
public final class LegacyJobResource extends JobResource {
  /** For the container; JAX-RS injects fields only. */
  public LegacyJobResource() {}

  public LegacyJobResource(RedriveService redrive) {
    super(redrive);
  }
}
