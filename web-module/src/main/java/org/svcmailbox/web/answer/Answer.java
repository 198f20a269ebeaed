package org.svcmailbox.web.answer;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.web.http.MediaTypes;
import org.svcmailbox.web.json.Json;

/**
 * A whole answer.
 *
 * @param status of HTTP
 * @param contentType null when there is no content
 * @param headers besides that; by name
 */
public record Answer(
    int status, @Nullable String contentType, Map<String, String> headers, Content content) {
  /** 200 with a record as JSON. */
  public static Answer json(Object body) {
    return json(HttpServletResponse.SC_OK, body);
  }

  static Answer json(int status, Object body) {
    return new Answer(status, MediaTypes.JSON, Map.of(), Content.of(Json.bytes(body)));
  }

  /** 200. */
  public static Answer of(String contentType, Content content) {
    return new Answer(HttpServletResponse.SC_OK, contentType, Map.of(), content);
  }

  /** 204. */
  public static Answer nothing() {
    return new Answer(HttpServletResponse.SC_NO_CONTENT, null, Map.of(), Content.NONE);
  }

  /** The same with more headers. */
  public Answer with(Map<String, String> more) {
    Map<String, String> all = new LinkedHashMap<>(headers);
    all.putAll(more);
    return new Answer(status, contentType, all, content);
  }

  /** Writes it, the content in one call; the server adds its length if it is not too long. */
  public void writeTo(HttpServletResponse response) throws IOException {
    response.setStatus(status);
    if (contentType != null) {
      response.setContentType(contentType);
    }
    headers.forEach(response::setHeader);
    if (content.length() > 0) {
      content.writeTo(response.getOutputStream());
    }
  }
}
