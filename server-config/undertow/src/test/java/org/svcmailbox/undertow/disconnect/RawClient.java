package org.svcmailbox.undertow.disconnect;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** An HTTP/1.1 client that shows every byte it sends. */
final class RawClient implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 10_000;

  private final Socket socket;
  private final InputStream in;

  RawClient(Socket socket) throws IOException {
    this.socket = socket;
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(PATIENCE_MILLIS);
    this.in = socket.getInputStream();
  }

  static RawClient to(TestServer server) throws IOException {
    return new RawClient(new Socket(server.address().getAddress(), server.address().getPort()));
  }

  /** A whole POST. */
  static String post(String body) {
    return "POST /wait HTTP/1.1\r\nHost: localhost\r\nContent-Length: "
        + body.length()
        + "\r\n\r\n"
        + body;
  }

  void send(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    socket.getOutputStream().flush();
  }

  /** The body of the next response. */
  String receive() throws IOException {
    int length = 0;
    String status = line();
    if (!status.startsWith("HTTP/1.1 200")) {
      throw new AssertionError(status);
    }
    for (String header = line(); !header.isEmpty(); header = line()) {
      if (header.toLowerCase(java.util.Locale.ROOT).startsWith("content-length:")) {
        length = Integer.parseInt(header.substring(header.indexOf(':') + 1).trim());
      }
    }
    return new String(in.readNBytes(length), StandardCharsets.US_ASCII);
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
