package org.svcmailbox.web.json;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.ext.MessageBodyReader;
import jakarta.ws.rs.ext.Provider;
import java.io.InputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import org.svcmailbox.core.envelope.Payload;

/** Takes a request's bytes as a payload, as they are. */
@Provider
@Singleton
@Consumes(MediaType.APPLICATION_OCTET_STREAM)
public final class PayloadReader implements MessageBodyReader<Payload> {
  // A field, because RESTEasy insists on constructing a provider without arguments.
  @Inject private BodyLimit limit;

  public PayloadReader() {}

  /** As the container makes it, with a limit given. */
  @SuppressWarnings("UnnecessaryAssignment")
  public PayloadReader(BodyLimit limit) {
    this.limit = limit;
  }

  @Override
  public boolean isReadable(
      Class<?> type, Type genericType, Annotation[] annotations, MediaType mediaType) {
    return type == Payload.class;
  }

  @Override
  public Payload readFrom(
      Class<Payload> type,
      Type genericType,
      Annotation[] annotations,
      MediaType mediaType,
      MultivaluedMap<String, String> headers,
      InputStream entity) {
    String declared = headers.getFirst(HttpHeaders.CONTENT_LENGTH);
    return Payload.owning(Body.read(entity, declared, limit.frame()).exact());
  }
}
