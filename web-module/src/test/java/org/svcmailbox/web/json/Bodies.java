package org.svcmailbox.web.json;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedHashMap;
import java.io.ByteArrayInputStream;
import java.lang.annotation.Annotation;
import org.svcmailbox.web.TestSettings;

/** Reads bodies as the doors do, for tests. */
public final class Bodies {
  private static final JsonRequestReader READER =
      new JsonRequestReader(new BodyLimit(TestSettings.MAX_FRAME));

  private Bodies() {}

  /** The record in a body's bytes. */
  @SuppressWarnings("unchecked") // the reader makes what it is told to
  public static <T extends JsonRequest> T read(Class<T> type, byte[] body) {
    JsonRequest request =
        READER.readFrom(
            (Class<JsonRequest>) (Class<?>) type,
            type,
            new Annotation[0],
            MediaType.APPLICATION_JSON_TYPE,
            new MultivaluedHashMap<>(),
            new ByteArrayInputStream(body));
    return type.cast(request);
  }

  /** The record in a body. */
  public static <T extends JsonRequest> T read(Class<T> type, String body) {
    return read(type, body.getBytes(UTF_8));
  }
}
