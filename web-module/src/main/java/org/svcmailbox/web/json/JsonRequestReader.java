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
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Turns a request's bytes into its record: bounded first, strict second. */
@Provider
@Singleton
@Consumes(MediaType.APPLICATION_JSON)
public final class JsonRequestReader implements MessageBodyReader<JsonRequest> {
  // A field, because RESTEasy insists on constructing a provider without arguments.
  @Inject private BodyLimit limit;
  private final Map<Class<?>, StrictReader<? extends JsonRequest>> readers =
      new ConcurrentHashMap<>();

  public JsonRequestReader() {}

  /** As the container makes it, with a limit given. */
  @SuppressWarnings("UnnecessaryAssignment")
  public JsonRequestReader(BodyLimit limit) {
    this.limit = limit;
  }

  @Override
  public boolean isReadable(
      Class<?> type, Type genericType, Annotation[] annotations, MediaType mediaType) {
    return JsonRequest.class.isAssignableFrom(type);
  }

  @Override
  public JsonRequest readFrom(
      Class<JsonRequest> type,
      Type genericType,
      Annotation[] annotations,
      MediaType mediaType,
      MultivaluedMap<String, String> headers,
      InputStream entity) {
    Body body = Body.read(entity, headers.getFirst(HttpHeaders.CONTENT_LENGTH), limit.bytes());
    try {
      return readers.computeIfAbsent(type, key -> StrictReader.of(type)).read(body);
    } finally {
      body.wipe();
    }
  }
}
