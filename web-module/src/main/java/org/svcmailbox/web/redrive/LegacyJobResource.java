package org.svcmailbox.web.redrive;

import jakarta.inject.Singleton;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.svcmailbox.core.redrive.RedriveService;

/**
 * A job at its earlier path, for existing clients. No {@code msg_id} looks like a job's id, so a
 * topic may still be called {@code jobs}.
 */
@Path("/dlq/jobs/{job_id: j[0-9a-f]{16}}")
@Singleton
@Produces(MediaType.APPLICATION_JSON)
public final class LegacyJobResource extends JobResource {
  /** For the container, which fills the fields: JAX-RS knows no constructor injection. */
  public LegacyJobResource() {}

  /** With what the container would give. */
  public LegacyJobResource(RedriveService redrive) {
    super(redrive);
  }
}
