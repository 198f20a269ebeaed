package org.svcmailbox.it.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A client of {@code /v1/recv/stream} on a connection of its own. It reads byte by byte, so that a
 * line counts that arrived whole before a cut.
 */
public final class MessageStream implements AutoCloseable {
  private static final String PATH = "/v1/recv/stream";
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Socket socket;
  private final InputStream in;
  private final Map<String, String> headers = new HashMap<>();
  private final int status;
  private int chunk;
  private long last;
  private String id = "";

  private MessageStream(Socket socket, byte[] request) throws IOException {
    this.socket = socket;
    socket.setTcpNoDelay(true);
    socket.setSoTimeout((int) PATIENCE.toMillis());
    socket.getOutputStream().write(request);
    this.in = new BufferedInputStream(socket.getInputStream());
    this.status = head();
  }

  /** Opens a stream; the status says whether it is one. */
  public static MessageStream open(CallTarget target, Fields body) throws IOException {
    return open(target, target.server().getPort(), body);
  }

  /** Opens a stream through a proxy on the server's host. */
  public static MessageStream open(CallTarget target, int port, Fields body) throws IOException {
    Socket socket = new Socket(target.server().getHost(), port);
    try {
      return new MessageStream(socket, target.post(PATH, body));
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  private int head() throws IOException {
    String line = line();
    int answered = line == null ? 0 : Integer.parseInt(line.split(" ", 3)[1]);
    for (line = line(); line != null && !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    return line == null ? 0 : answered;
  }

  /** The status; 0 when the answer was cut before its first line. */
  public int status() {
    return status;
  }

  /** A header of the answer; empty where there is none. */
  public String header(String name) {
    return headers.getOrDefault(name, "");
  }

  /** All headers of the answer. */
  public HttpHeaders headers() {
    Map<String, List<String>> lists = new HashMap<>();
    headers.forEach((name, value) -> lists.put(name, List.of(value)));
    return HttpHeaders.of(lists, (name, value) -> true);
  }

  /** The problem, of an answer that is none of 200. */
  public JsonNode problem() throws IOException {
    return JSON.readTree(in.readNBytes(Integer.parseInt(header("content-length"))));
  }

  /** The next line; null at the end, or where the stream is cut. */
  public @Nullable JsonNode next() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int octet = data(); octet >= 0; octet = data()) {
      if (octet == '\n') {
        return noted(JSON.readTree(line.toString(UTF_8)));
      }
      line.write(octet);
    }
    return null;
  }

  private JsonNode noted(JsonNode line) {
    switch (line.path("type").asText()) {
      case "open" -> id = line.path("stream").asText();
      case "message" -> last = line.path("n").asLong();
      default -> {}
    }
    return line;
  }

  /** The next line but heartbeats, which has this type. */
  public JsonNode next(String type) throws IOException {
    JsonNode line = next();
    while (line != null && line.path("type").asText().equals("heartbeat")) {
      line = next();
    }
    if (line == null || !line.path("type").asText().equals(type)) {
      throw new AssertionError("not " + type + ": " + line);
    }
    return line;
  }

  /** The next messages. */
  public List<Message> messages(int count) throws IOException {
    List<Message> messages = new ArrayList<>();
    while (messages.size() < count) {
      messages.add(new Message(next("message").path("message")));
    }
    return messages;
  }

  /** Messages that arrive whole until the stream is cut. */
  public List<Message> untilCut() throws IOException {
    List<Message> messages = new ArrayList<>();
    for (JsonNode line = next(); line != null; line = next()) {
      if (line.path("type").asText().equals("message")) {
        messages.add(new Message(line.path("message")));
      }
    }
    return messages;
  }

  /** Whether no message arrives for so long. */
  public boolean isQuietFor(Duration time) throws IOException {
    socket.setSoTimeout((int) time.toMillis());
    try {
      in.mark(1);
      int octet = in.read();
      in.reset();
      return octet < 0;
    } catch (SocketTimeoutException e) {
      return true;
    } finally {
      socket.setSoTimeout((int) PATIENCE.toMillis());
    }
  }

  /** How to go on, after the last message that arrived whole; empty before the first line. */
  public Map<String, Object> resume() {
    return id.isEmpty() ? Map.of() : Map.of("stream", id, "last", last);
  }

  /** The id that the first line told. */
  public String id() {
    return id;
  }

  /** The next byte of data; -1 at the end, also of the connection. */
  private int data() throws IOException {
    if (chunk == 0) {
      String length = line();
      if (length == null) {
        return -1;
      }
      chunk = Integer.parseInt(length, 16);
      if (chunk == 0) {
        return -1;
      }
    }
    int octet = in.read();
    chunk--;
    if (chunk == 0 && octet >= 0) {
      String unused = line();
    }
    return octet;
  }

  /** A line of the protocol beneath; null when the connection ends before its end. */
  private @Nullable String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int octet = in.read(); octet != '\n'; octet = in.read()) {
      if (octet < 0) {
        return null;
      }
      if (octet != '\r') {
        line.append((char) octet);
      }
    }
    return line.toString();
  }

  /** Ends the connection; unread bytes make it a reset. */
  @Override
  public void close() throws IOException {
    socket.close();
  }
}
