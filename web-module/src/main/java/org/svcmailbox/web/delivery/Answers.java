package org.svcmailbox.web.delivery;

import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import org.svcmailbox.web.json.Json;
import org.svcmailbox.web.json.JsonBytes;

/** Successful answers. */
final class Answers {
  private Answers() {}

  /** 200 with a record as JSON. */
  static Response ok(Object body) {
    byte[] json = Json.bytes(body);
    return Response.ok(new JsonBytes(json)).header(HttpHeaders.CONTENT_LENGTH, json.length).build();
  }
}
