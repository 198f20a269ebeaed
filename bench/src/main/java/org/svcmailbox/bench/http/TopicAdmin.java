package org.svcmailbox.bench.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;

/** Creates, reads and deletes topics as the operator, each over a new connection. */
public record TopicAdmin(LoadTarget operator) {
  /**
   * Creates a topic.
   *
   * @param settings JSON, {@code {}} for the defaults
   */
  public void create(String topic, String settings) throws IOException {
    call("PUT", topic, settings);
  }

  public void delete(String topic) throws IOException {
    call("DELETE", topic, "");
  }

  /** The status of a topic, with counts such as {@code ready} and {@code dlq}. */
  public JsonNode status(String topic) throws IOException {
    return new ObjectMapper().readTree(call("GET", topic, ""));
  }

  private String call(String method, String topic, String json) throws IOException {
    try (HttpConnection connection = new HttpConnection(operator)) {
      return connection.call(method, "/v1/topics/" + topic, json);
    }
  }
}
