package org.svcmailbox.undertow.intake;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** One connection of a client, byte by byte. */
final class Wire implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 20_000;

  private final Socket socket;
  private final InputStream in;

  private Wire(Socket socket, InetSocketAddress address) throws IOException {
    this.socket = socket;
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(PATIENCE_MILLIS);
    socket.connect(address);
    this.in = socket.getInputStream();
  }

  static Wire to(IntakeServer server) throws IOException {
    return new Wire(new Socket(), server.address());
  }

  /** A client whose system holds little of an answer that it does not take. */
  static Wire narrow(IntakeServer server) throws IOException {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(4096);
    return new Wire(socket, server.address());
  }

  /** A response to an HTTP/1.1 request. */
  record Response(int status, Map<String, String> headers, String body) {
    String header(String name) {
      return headers.getOrDefault(name, "");
    }
  }

  static String head(String path, String... headers) {
    return "POST "
        + path
        + " HTTP/1.1\r\nHost: localhost\r\n"
        + String.join("\r\n", headers)
        + "\r\n\r\n";
  }

  static String length(long bytes) {
    return "Content-Length: " + bytes;
  }

  static String get(String path) {
    return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
  }

  /** A body in which every part differs. */
  static String body(int bytes) {
    StringBuilder text = new StringBuilder(bytes + 8);
    for (int i = 0; text.length() < bytes; i++) {
      text.append(i).append(' ');
    }
    return text.substring(0, bytes);
  }

  static String chunk(String data) {
    return Integer.toHexString(data.length()) + "\r\n" + data + "\r\n";
  }

  Wire send(String text) throws IOException {
    return send(text.getBytes(ISO_8859_1));
  }

  Wire send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    return this;
  }

  /** The next response, whatever its status. */
  Response receive() throws IOException {
    int status = Integer.parseInt(line().substring("HTTP/1.1 ".length()).substring(0, 3));
    Map<String, String> headers = new HashMap<>();
    for (String header = line(); !header.isEmpty(); header = line()) {
      int colon = header.indexOf(':');
      headers.put(
          header.substring(0, colon).toLowerCase(Locale.ROOT), header.substring(colon + 1).trim());
    }
    int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
    return new Response(status, headers, new String(bytes(length), ISO_8859_1));
  }

  byte[] bytes(int count) throws IOException {
    byte[] bytes = in.readNBytes(count);
    if (bytes.length < count) {
      throw new EOFException("after " + Arrays.toString(bytes));
    }
    return bytes;
  }

  private String line() throws IOException {
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

  /** Whether the server has ended the connection, once everything it sent is read. */
  boolean isEnded() {
    try {
      return in.read() < 0;
    } catch (java.net.SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true; // reset
    }
  }

  /** Ends the connection in order. */
  void hangUp() throws IOException {
    socket.close();
  }

  /** Ends the connection with a reset. */
  void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
