package org.svcmailbox.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.http.HttpService;

/** A path with parameters. It can read lists page by page. */
final class PathQuery {
  private final StringBuilder text;
  private char separator = '?';

  PathQuery(String path) {
    text = new StringBuilder(path);
  }

  /** Adds a parameter, unless it is null. */
  PathQuery with(String name, @Nullable Object value) {
    if (value != null) {
      text.append(separator)
          .append(name)
          .append('=')
          .append(URLEncoder.encode(value.toString(), StandardCharsets.UTF_8));
      separator = '&';
    }
    return this;
  }

  private PathQuery copy() {
    PathQuery copy = new PathQuery(text.toString());
    copy.separator = separator;
    return copy;
  }

  /**
   * Writes the elements of a list, page by page.
   *
   * @param field the list in each page
   * @param atMost the most elements
   * @param page the most elements of one page
   * @return the number of elements
   */
  int writeAll(HttpService calls, String field, int atMost, int page, JsonOutput out) {
    int count = 0;
    String cursor = null;
    do {
      int limit = Math.min(page, atMost - count);
      JsonNode answer = calls.get(copy().with("limit", limit).with("cursor", cursor).toString());
      Iterator<JsonNode> elements = answer.path(field).elements();
      while (elements.hasNext() && count < atMost) {
        out.line(elements.next());
        count++;
      }
      cursor = answer.path("next_cursor").textValue();
    } while (cursor != null && count < atMost);
    return count;
  }

  /** The path and query of the call. */
  @Override
  public String toString() {
    return text.toString();
  }
}
