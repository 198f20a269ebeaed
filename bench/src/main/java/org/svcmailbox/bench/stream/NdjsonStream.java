package org.svcmailbox.bench.stream;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.Arrays;
import org.svcmailbox.bench.http.HttpConnection;
import org.svcmailbox.bench.http.LoadTarget;

/** A stream in JSON lines on a connection of its own, whose lines are not parsed. One thread. */
final class NdjsonStream implements Closeable {
  private static final String MESSAGE = "{\"type\":\"message\"";
  private static final int SMALL = 1 << 12;

  private final Socket socket;
  private final InputStream in;
  private byte[] body = new byte[SMALL];
  private int from;
  private int to;
  private int chunk;

  /**
   * Opens a stream and returns when the service has.
   *
   * @param buffer bytes read at once
   */
  NdjsonStream(LoadTarget target, String topic, int window, int buffer) throws IOException {
    socket = new Socket(target.server().getHost(), target.server().getPort());
    socket.setTcpNoDelay(true);
    in = new BufferedInputStream(socket.getInputStream(), buffer);
    socket.getOutputStream().write(request(target, topic, window).getBytes(ISO_8859_1));
    String status = head();
    if (!status.startsWith("HTTP/1.1 200")) {
      throw new IOException("no stream: " + status);
    }
    while (!hasLine()) {
      fill();
    }
  }

  private static String request(LoadTarget target, String topic, int window) {
    String json =
        "{\"topic\":\"%s\",\"window\":%d,\"visibility_ms\":60000}".formatted(topic, window);
    return "POST /v1/recv/stream HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
        + target.token()
        + "\r\nContent-Type: application/json\r\nContent-Length: "
        + json.length()
        + "\r\n\r\n"
        + json;
  }

  /** At least one and up to {@code most} lines of messages, without waiting for the second. */
  String messages(int most) throws IOException {
    StringBuilder lines = new StringBuilder();
    int count = 0;
    while (count == 0 || (count < most && isReadable())) {
      String line = line();
      if (line.startsWith(MESSAGE)) {
        lines.append(line);
        count++;
      }
    }
    return lines.toString();
  }

  private boolean isReadable() throws IOException {
    while (!hasLine() && in.available() > 0) {
      fill();
    }
    return hasLine();
  }

  private boolean hasLine() {
    return end() < to;
  }

  private int end() {
    int end = from;
    while (end < to && body[end] != '\n') {
      end++;
    }
    return end;
  }

  private String line() throws IOException {
    while (!hasLine()) {
      fill();
    }
    int end = end();
    String line = new String(body, from, end - from, ISO_8859_1);
    from = end + 1;
    return line;
  }

  private void fill() throws IOException {
    if (from == to) {
      from = 0;
      to = 0;
    } else if (to == body.length) {
      makeRoom();
    }
    if (chunk == 0) {
      chunk = Integer.parseInt(HttpConnection.line(in), 16);
    }
    int read = in.read(body, to, Math.min(chunk, body.length - to));
    if (read <= 0) {
      throw new EOFException("the stream ended");
    }
    to += read;
    chunk -= read;
    if (chunk == 0) {
      String unused = HttpConnection.line(in);
    }
  }

  private void makeRoom() {
    byte[] larger = from > 0 ? body : Arrays.copyOf(body, 2 * body.length);
    System.arraycopy(body, from, larger, 0, to - from);
    body = larger;
    to -= from;
    from = 0;
  }

  private String head() throws IOException {
    String status = HttpConnection.line(in);
    while (!HttpConnection.line(in).isEmpty()) {
      // The next header.
    }
    return status;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
