package org.svcmailbox.web.answer;

import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.Response.Status;
import jakarta.ws.rs.core.StreamingOutput;

/** Answers as JAX-RS has them. */
public final class Answers {
  private Answers() {}

  /** 200 with a record as JSON. */
  public static Response ok(Object body) {
    return of(Status.OK, body);
  }

  /** A record as JSON. */
  public static Response of(Status status, Object body) {
    return of(Answer.json(status.getStatusCode(), body));
  }

  /** Any answer. */
  public static Response of(Answer answer) {
    // A StreamingOutput rather than a bare array: some servers write arrays by way of another
    // thread, which costs more than the few bytes are worth.
    StreamingOutput content = answer.content()::writeTo;
    Response.ResponseBuilder response =
        Response.status(answer.status())
            .type(answer.contentType())
            .header(HttpHeaders.CONTENT_LENGTH, answer.content().length())
            .entity(content);
    answer.headers().forEach(response::header);
    return response.build();
  }
}
