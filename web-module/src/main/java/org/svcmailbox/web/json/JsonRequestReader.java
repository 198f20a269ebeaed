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

/** Deserializes JSON bodies for JAX-RS. */
@Provider
@Singleton
@Consumes(MediaType.APPLICATION_JSON)
public final class JsonRequestReader implements MessageBodyReader<JsonRequest> {
  // A field, because RESTEasy constructs providers without arguments.
  @Inject private RequestBodies bodies;

  public JsonRequestReader() {}

  @SuppressWarnings("UnnecessaryAssignment")
  public JsonRequestReader(RequestBodies bodies) {
    this.bodies = bodies;
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
    return bodies.json(entity, headers.getFirst(HttpHeaders.CONTENT_LENGTH), type);
  }
}
