package org.svcmailbox.it.client;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** One TCP connection to the server, for what well-behaved clients do not do. */
public final class RawConnection implements Closeable {
  /**
   * A response.
   *
   * @param headers by lower-case name
   */
  public record Response(int status, Map<String, String> headers, String body) {}

  private final Socket socket = new Socket();
  private final Target target;

  /** Connects with the system's own buffers. */
  public RawConnection(Target target) throws IOException {
    this(target, 0);
  }

  /**
   * Connects.
   *
   * @param receiveBuffer bytes that may be on their way unread, 0 for the system's default
   */
  public RawConnection(Target target, int receiveBuffer) throws IOException {
    this.target = target;
    if (receiveBuffer > 0) {
      socket.setReceiveBufferSize(receiveBuffer);
    }
    socket.setTcpNoDelay(true);
    URI server = target.server();
    socket.connect(new InetSocketAddress(server.getHost(), server.getPort()), 5_000);
  }

  /** Posts a JSON body. */
  public void post(String path, Fields body) throws IOException {
    byte[] json = body.text().getBytes(StandardCharsets.UTF_8);
    write(head("POST", path) + "Content-Length: " + json.length + "\r\n\r\n");
    write(json);
  }

  /** The first lines of a request, to which more headers and an empty line are added. */
  public String head(String method, String path) {
    return method
        + " "
        + path
        + " HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\n"
        + target.authorization();
  }

  public void write(String text) throws IOException {
    write(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  public void write(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
  }

  /** Whether nothing at all is answered for so long. */
  public boolean isSilentFor(Duration time) throws IOException {
    socket.setSoTimeout((int) time.toMillis());
    try {
      if (socket.getInputStream().read() < 0) {
        throw new EOFException("closed by the server");
      }
      return false;
    } catch (SocketTimeoutException e) {
      return true;
    }
  }

  /** Reads a response with a declared length. */
  public Response read(Duration allowed) throws IOException {
    socket.setSoTimeout((int) allowed.toMillis());
    InputStream in = socket.getInputStream();
    String status = line(in);
    Map<String, String> headers = new TreeMap<>();
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      int colon = line.indexOf(':');
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).trim());
    }
    int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
    String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
    return new Response(Integer.parseInt(status.split(" ", 3)[1]), headers, body);
  }

  /** Ends the connection as a process that dies does; unread bytes make it a reset. */
  @Override
  public void close() throws IOException {
    socket.close();
  }

  private static String line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new EOFException("closed by the server after: " + line);
      }
      if (b != '\r') {
        line.write(b);
      }
    }
    return line.toString(StandardCharsets.ISO_8859_1);
  }
}
