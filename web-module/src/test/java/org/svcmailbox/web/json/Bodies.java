package org.svcmailbox.web.json;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import org.svcmailbox.web.TestSettings;

/** Reads bodies like the endpoints. */
public final class Bodies {
  private static final RequestBodies READER =
      new RequestBodies(new BodyLimit(TestSettings.MAX_FRAME));

  private Bodies() {}

  public static <T> T read(Class<T> type, byte[] body) {
    return READER.json(new ByteArrayInputStream(body), null, type);
  }

  public static <T> T read(Class<T> type, String body) {
    return read(type, body.getBytes(UTF_8));
  }
}
