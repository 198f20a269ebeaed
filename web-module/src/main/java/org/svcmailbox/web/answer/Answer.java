package org.svcmailbox.web.answer;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.web.http.MediaTypes;
import org.svcmailbox.web.json.Json;

/**
 * A complete HTTP response held in memory.
 *
 * @param status the HTTP status
 * @param contentType null without content
 * @param headers all other headers, by name
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

  public static Answer of(String contentType, Content content) {
    return new Answer(HttpServletResponse.SC_OK, contentType, Map.of(), content);
  }

  public static Answer nothing() {
    return new Answer(HttpServletResponse.SC_NO_CONTENT, null, Map.of(), Content.NONE);
  }

  /** Returns a copy with more headers. */
  public Answer with(Map<String, String> more) {
    Map<String, String> all = new LinkedHashMap<>(headers);
    all.putAll(more);
    return new Answer(status, contentType, all, content);
  }

  /** Writes the response, its content in one call; the server adds a length to short content. */
  public void writeTo(HttpServletResponse response) throws IOException {
    begin(response);
    if (content.length() > 0) {
      content.writeTo(response.getOutputStream());
    }
  }

  /** Sets status and headers. */
  public void begin(HttpServletResponse response) {
    response.setStatus(status);
    if (contentType != null) {
      response.setContentType(contentType);
    }
    headers.forEach(response::setHeader);
  }
}
