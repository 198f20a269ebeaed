package org.svcmailbox.web.json;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.problem.SchemaException;

/** Reads request bodies: bounded first, then parsed strictly. */
@Singleton
public final class RequestBodies {
  private static final String CONTENT_LENGTH = "Content-Length";

  private final BodyLimit limit;
  private final Map<Class<?>, StrictReader<?>> readers = new ConcurrentHashMap<>();

  @Inject
  public RequestBodies(BodyLimit limit) {
    this.limit = limit;
  }

  /**
   * Reads a JSON body.
   *
   * @throws org.svcmailbox.core.problem.FrameTooLargeException when the body is over the limit
   * @throws SchemaException naming the refused field
   */
  public <T> T json(HttpServletRequest http, Class<T> type) {
    return json(http, type, limit.bytes());
  }

  /**
   * Reads a JSON body of at most {@code most} bytes.
   *
   * @throws org.svcmailbox.core.problem.FrameTooLargeException when the body is over the limit
   * @throws SchemaException naming the refused field
   */
  public <T> T json(HttpServletRequest http, Class<T> type, int most) {
    return json(stream(http), http.getHeader(CONTENT_LENGTH), type, most);
  }

  <T> T json(InputStream stream, @Nullable String declared, Class<T> type) {
    return json(stream, declared, type, limit.bytes());
  }

  private <T> T json(InputStream stream, @Nullable String declared, Class<T> type, int most) {
    Body body = Body.read(stream, declared, most);
    try {
      return type.cast(readers.computeIfAbsent(type, StrictReader::of).read(body));
    } finally {
      body.wipe();
    }
  }

  /**
   * Reads a bare payload.
   *
   * @throws org.svcmailbox.core.problem.FrameTooLargeException when it is over the limit
   */
  public Payload octets(HttpServletRequest http) {
    return octets(http, limit.frame());
  }

  /** As above, with another limit in bytes. */
  public Payload octets(HttpServletRequest http, int most) {
    Body body = Body.read(stream(http), http.getHeader(CONTENT_LENGTH), most);
    return Payload.owning(body.exact());
  }

  private static InputStream stream(HttpServletRequest http) {
    try {
      return http.getInputStream();
    } catch (IOException e) {
      throw new SchemaException("body", "could not be read");
    }
  }
}
