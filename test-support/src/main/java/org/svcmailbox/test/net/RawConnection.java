package org.svcmailbox.test.net;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** One connection of an HTTP client, byte by byte, for what well-behaved clients do not do. */
public final class RawConnection implements Closeable {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Socket socket;
  private final InputStream in;

  private RawConnection(Socket socket) throws IOException {
    this.socket = socket;
    socket.setTcpNoDelay(true);
    patience(PATIENCE);
    this.in = socket.getInputStream();
  }

  /** Connects with the system's own buffers. */
  public static RawConnection to(InetSocketAddress address) throws IOException {
    return connect(new Socket(), address);
  }

  /** A client whose system holds little of an answer that it does not take. */
  public static RawConnection narrow(InetSocketAddress address) throws IOException {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(4096);
    return connect(socket, address);
  }

  private static RawConnection connect(Socket socket, InetSocketAddress address)
      throws IOException {
    socket.connect(address, (int) PATIENCE.toMillis());
    return new RawConnection(socket);
  }

  /** Over a socket that is connected already. */
  public static RawConnection over(Socket connected) throws IOException {
    return new RawConnection(connected);
  }

  /**
   * A response to an HTTP/1.1 request.
   *
   * @param headers by lower-case name
   */
  public record Response(int status, Map<String, String> headers, String body) {
    /** This response when it has the given status; fails otherwise. */
    public Response expect(int expected) {
      if (status != expected) {
        throw new AssertionError("status " + status + " instead of " + expected + ": " + body);
      }
      return this;
    }

    /** A header's value; empty without the header. */
    public String header(String name) {
      return headers.getOrDefault(name, "");
    }
  }

  /** A request's first lines and the empty one after them. */
  public static String head(String path, String... headers) {
    return "POST "
        + path
        + " HTTP/1.1\r\nHost: localhost\r\n"
        + String.join("\r\n", headers)
        + "\r\n\r\n";
  }

  /** The header that declares a body's length. */
  public static String length(long bytes) {
    return "Content-Length: " + bytes;
  }

  /** A whole POST. */
  public static String post(String path, String body) {
    return head(path, length(body.length())) + body;
  }

  /** A whole GET. */
  public static String get(String path) {
    return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
  }

  /** A body in which every part differs. */
  public static String body(int bytes) {
    StringBuilder text = new StringBuilder(bytes + 8);
    for (int i = 0; text.length() < bytes; i++) {
      text.append(i).append(' ');
    }
    return text.substring(0, bytes);
  }

  /** One chunk of a body without a declared length. */
  public static String chunk(String data) {
    return Integer.toHexString(data.length()) + "\r\n" + data + "\r\n";
  }

  /** Sends characters of one byte each. */
  public RawConnection send(String text) throws IOException {
    return send(text.getBytes(ISO_8859_1));
  }

  /** Sends bytes at once. */
  public RawConnection send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
    return this;
  }

  /** The next response, whatever its status. */
  public Response receive() throws IOException {
    return receive(PATIENCE);
  }

  /** The next response, each part of which must arrive within the time. */
  public Response receive(Duration allowed) throws IOException {
    patience(allowed);
    int status = Integer.parseInt(line().substring("HTTP/1.1 ".length()).substring(0, 3));
    Map<String, String> headers = new HashMap<>();
    for (String header = line(); !header.isEmpty(); header = line()) {
      int colon = header.indexOf(':');
      headers.put(
          header.substring(0, colon).toLowerCase(Locale.ROOT), header.substring(colon + 1).trim());
    }
    int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
    Response response = new Response(status, headers, new String(bytes(length), UTF_8));
    patience(PATIENCE);
    return response;
  }

  /** The next bytes. */
  public byte[] bytes(int count) throws IOException {
    byte[] bytes = in.readNBytes(count);
    if (bytes.length < count) {
      throw new EOFException("after " + Arrays.toString(bytes));
    }
    return bytes;
  }

  /** The next line, without its end. */
  public String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new EOFException("after '" + line + "'");
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  /** Everything the server says until it closes the connection. */
  public String rest() throws IOException {
    return new String(in.readAllBytes(), ISO_8859_1);
  }

  /** Whether the server sends nothing at all for this long. */
  public boolean isSilentFor(Duration time) throws IOException {
    patience(time);
    try {
      if (in.read() < 0) {
        throw new EOFException("closed by the server");
      }
      return false;
    } catch (SocketTimeoutException e) {
      return true;
    } finally {
      patience(PATIENCE);
    }
  }

  /** Whether the server has ended the connection, once everything it sent is read. */
  public boolean isEnded() {
    try {
      return in.read() < 0;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true; // reset
    }
  }

  private void patience(Duration time) throws IOException {
    socket.setSoTimeout((int) time.toMillis());
  }

  /** Sends nothing more, and still receives. */
  public void endOutput() throws IOException {
    socket.shutdownOutput();
  }

  /** Ends the connection in order; unread bytes make it a reset. */
  public void hangUp() throws IOException {
    socket.close();
  }

  /** Ends the connection with a reset. */
  public void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
