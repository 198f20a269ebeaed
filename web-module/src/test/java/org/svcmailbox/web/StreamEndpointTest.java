package org.svcmailbox.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.ServletException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.problem.SaturatedException;
import org.svcmailbox.core.stream.StreamEnd;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.net.RawConnection;
import org.svcmailbox.web.FakeStreams.Opened;
import org.svcmailbox.web.HttpCalls.Answer;
import org.svcmailbox.web.stream.SampleLeases;

/** {@code POST /v1/recv/stream} over HTTP. */
class StreamEndpointTest {
  private static final String PATH = "/v1/recv/stream";
  private static final String BODY = "{\"topic\": \"t\"}";
  private static final String OPEN = "{\"type\":\"open\",\"stream\":\"s-1\",\"window\":100}";

  private static final int MESSAGE = 256 << 10;

  /** A client that reads has taken a message by then. */
  private static final Duration QUIET = Duration.ofMillis(500);

  private final TestServer server = TestServer.open();
  private final HttpCalls calls = HttpCalls.to(server);

  StreamEndpointTest() throws ServletException {}

  @AfterEach
  void close() throws ServletException {
    server.close();
  }

  private RawConnection open() throws Exception {
    RawConnection client = RawConnection.to(server.address());
    client.send(request());
    return client;
  }

  private static String request() {
    return RawConnection.head(
            PATH, "Content-Type: application/json", RawConnection.length(BODY.length()))
        + BODY;
  }

  /** Reads the head; returns it in lower case. */
  private static List<String> head(RawConnection client) throws Exception {
    List<String> head = new ArrayList<>();
    for (String line = client.line(); !line.isEmpty(); line = client.line()) {
      head.add(line.toLowerCase(Locale.ROOT));
    }
    return head;
  }

  /** The data of the next chunk. */
  private static String chunk(RawConnection client) throws Exception {
    int length = Integer.parseInt(client.line(), 16);
    String data = new String(client.bytes(length), StandardCharsets.UTF_8);
    assertEquals("", client.line());
    return data;
  }

  @Test
  void linesComeAsTheServiceGivesThem() throws Exception {
    try (RawConnection client = open()) {
      List<String> head = head(client);
      assertEquals("http/1.1 200 ok", head.get(0));
      assertTrue(head.contains("content-type: application/x-ndjson"), head::toString);
      assertTrue(head.contains("cache-control: no-store, no-transform"), head::toString);
      assertTrue(head.contains("x-accel-buffering: no"), head::toString);
      assertTrue(head.contains("transfer-encoding: chunked"), head::toString);
      assertEquals(OPEN + "\n", chunk(client));
      Opened stream = server.streams.next();
      assertEquals("t", stream.request().topic().value());
      stream.awaitReady();
      stream.output().heartbeat(0, null);
      assertEquals("{\"type\":\"heartbeat\",\"unsettled\":0}\n", chunk(client));
      stream.awaitReady();
      stream.output().end(StreamEnd.AGE, null);
      assertEquals("{\"type\":\"end\",\"reason\":\"age\"}\n", chunk(client));
      assertEquals("", chunk(client));
      client.send(request());
      assertEquals("http/1.1 200 ok", head(client).get(0), "the connection serves on");
    }
  }

  @Test
  void aClientThatHangsUpCutsTheStream() throws Exception {
    RawConnection client = open();
    head(client);
    Opened stream = server.streams.next();
    stream.awaitReady();
    client.hangUp();
    stream.isCut().get(10, TimeUnit.SECONDS);
  }

  @Test
  void aClientThatReadsNothingIsGivenLittleAndDisconnectedWhenTheServiceSaysSo() throws Exception {
    try (RawConnection client = RawConnection.narrow(server.address())) {
      client.send(request());
      Opened stream = server.streams.next();
      stream.awaitReady();
      int sent = 0;
      do {
        sent++;
        stream.output().message(sent, SampleLeases.of(new byte[MESSAGE]));
      } while (stream.isReadyWithin(QUIET) && sent < 100);
      // A server that held the answer for its writer would take 4 MiB.
      assertTrue(sent * MESSAGE < 3 << 20, sent + " messages");
      stream.output().end(StreamEnd.SLOW, null);
      while (!client.isEnded()) {
        // The sockets hold some.
      }
      Deadline.in(Duration.ofSeconds(10))
          .await(() -> server.leased.metrics().get(0).now() == 0, () -> "bytes are held");
    }
  }

  @Test
  void otherMethodsAreToldWhatToDo() throws Exception {
    Answer answer = calls.call("GET", PATH);
    assertEquals(405, answer.status());
    assertEquals("POST", answer.header("allow"));
    assertEquals(
        "Opening a stream leases messages, so it takes a POST",
        answer.json().path("detail").asText());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "*/*|200",
        "application/*|200",
        "application/x-ndjson|200",
        "text/html, application/x-ndjson;q=0.5|200",
        "application/json|406",
        "application/problem+json|406",
        "text/event-stream|406",
      })
  void theClientHasToAcceptLines(String accept, int status) throws Exception {
    server.streams.onOpen =
        request -> {
          throw new NotFoundException("seen");
        };
    Answer answer =
        calls.call(
            calls.request("POST", PATH, BodyPublishers.ofString(BODY)).header("Accept", accept));
    assertEquals(status == 200 ? 404 : status, answer.status());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{}",
        "{\"topic\": \"t\", \"wait_ms\": 1}",
        "{\"topic\": \"t\", \"window\": 0}",
        "{\"topic\": \"t\", \"window\": \"1\"}",
        "{\"topic\": \"t\", \"resume\": {\"stream\": \"s\"}}",
        "{\"topic\": \"t\", \"resume\": {\"stream\": \"s\", \"last\": 1, \"more\": 1}}",
        "{\"topic\": \"t\"} {}",
      })
  void aWrongBodyIsRefused(String body) throws Exception {
    Answer answer = calls.post(PATH, body);
    assertEquals(400, answer.status(), answer.response().body());
    assertEquals("application/problem+json", answer.header("content-type"));
    assertTrue(server.streams.isUntouched());
  }

  @Test
  void aLongBodyIsRefused() throws Exception {
    Answer fits = calls.post(PATH, BODY + " ".repeat(4096 - BODY.length()) + "x");
    assertEquals(413, fits.status());
    assertTrue(server.streams.isUntouched());
    server.streams.onOpen =
        request -> {
          throw new NotFoundException("seen");
        };
    assertEquals(404, calls.post(PATH, BODY + " ".repeat(4096 - BODY.length())).status());
  }

  @Test
  void aRefusalIsAProblem() throws Exception {
    server.streams.onOpen =
        request -> {
          throw new SaturatedException("streams", "too many streams", Duration.ofSeconds(5));
        };
    Answer answer = calls.post(PATH, BODY);
    assertEquals(429, answer.status());
    assertEquals("streams", answer.json().path("reason").asText());
    assertEquals("5", answer.header("retry-after"));
  }

  @Test
  void bytesOfTheNextRequestAreKept() throws Exception {
    try (RawConnection client = open()) {
      head(client);
      assertEquals(OPEN + "\n", chunk(client));
      Opened stream = server.streams.next();
      stream.awaitReady();
      client.send(request());
      stream.output().end(StreamEnd.AGE, null);
      assertEquals("{\"type\":\"end\",\"reason\":\"age\"}\n", chunk(client));
      assertEquals("", chunk(client));
      assertEquals("http/1.1 200 ok", head(client).get(0));
      server.streams.next().awaitReady();
    }
  }

  @Test
  void http2HasStreamsToo() throws Exception {
    HttpCalls http2 = HttpCalls.http2To(server);
    var answer = http2.begin(PATH, BODY);
    Opened stream = server.streams.next();
    stream.awaitReady();
    stream.output().end(StreamEnd.DRAIN, null);
    assertEquals(
        OPEN + "\n{\"type\":\"end\",\"reason\":\"drain\"}\n",
        answer.get(10, TimeUnit.SECONDS).body());
  }
}
