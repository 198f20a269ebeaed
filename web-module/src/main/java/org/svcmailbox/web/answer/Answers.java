package org.svcmailbox.web.answer;

import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.Response.Status;
import jakarta.ws.rs.core.StreamingOutput;

/** Converts answers to JAX-RS responses. */
public final class Answers {
  private Answers() {}

  /** 200 with a record as JSON. */
  public static Response ok(Object body) {
    return of(Status.OK, body);
  }

  public static Response of(Status status, Object body) {
    return of(Answer.json(status.getStatusCode(), body));
  }

  public static Response of(Answer answer) {
    // A StreamingOutput, because some servers write arrays on another thread, which costs more than
    // it saves for so few bytes.
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
