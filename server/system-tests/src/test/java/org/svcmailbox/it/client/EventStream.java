package org.svcmailbox.it.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.test.concurrent.Deadline;

/** A client of {@code /v1/events} that reads events as they arrive. */
public final class EventStream implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpResponse<InputStream> response;

  private EventStream(CallTarget target, String query) throws IOException {
    HttpRequest request =
        HttpRequest.newBuilder(target.server().resolve("/v1/events" + query))
            .header("Authorization", "Bearer " + target.token().get())
            .build();
    try {
      response =
          HttpClient.newBuilder()
              .version(HttpClient.Version.HTTP_1_1)
              .build()
              .send(request, BodyHandlers.ofInputStream());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** Begins as soon as there is a place: who has just gone may still have theirs. */
  public static EventStream open(CallTarget target, String query) {
    EventStream[] opened = new EventStream[1];
    Deadline.in(Duration.ofSeconds(60))
        .await(
            () -> {
              opened[0] = new EventStream(target, query);
              return opened[0].response.statusCode() == 200;
            },
            () -> "no place");
    return opened[0];
  }

  /** A header of the answer; empty where there is none. */
  public String header(String name) {
    return response.headers().firstValue(name).orElse("");
  }

  /** The data of the next event; null at the end of the stream. */
  public @Nullable JsonNode next() throws IOException {
    List<String> event = new ArrayList<>();
    for (String line = line(); line != null; line = line()) {
      if (!line.isEmpty()) {
        event.add(line);
      } else if (event.equals(List.of(":"))) {
        event.clear();
      } else {
        assertEquals("event: topics", event.get(0));
        assertTrue(event.get(1).startsWith("data: "), event::toString);
        assertEquals(2, event.size());
        return JSON.readTree(event.get(1).substring("data: ".length()));
      }
    }
    assertEquals(List.of(), event, "half an event");
    return null;
  }

  /** Reads until there is nothing more. */
  public void toItsEnd() throws IOException {
    JsonNode event = next();
    while (event != null) {
      event = next();
    }
  }

  private @Nullable String line() throws IOException {
    StringBuilder line = new StringBuilder();
    int read = response.body().read();
    while (read >= 0 && read != '\n') {
      line.append((char) read);
      read = response.body().read();
    }
    return read < 0 && line.isEmpty() ? null : line.toString();
  }

  @Override
  public void close() throws IOException {
    response.body().close();
  }
}
