package org.svcmailbox.web.json;

import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.Response.Status;

/** Successful answers. */
public final class Answers {
  private Answers() {}

  /** 200 with a record as JSON. */
  public static Response ok(Object body) {
    return of(Status.OK, body);
  }

  /** A record as JSON. */
  public static Response of(Status status, Object body) {
    byte[] json = Json.bytes(body);
    return Response.status(status)
        .entity(new JsonBytes(json))
        .header(HttpHeaders.CONTENT_LENGTH, json.length)
        .build();
  }
}
