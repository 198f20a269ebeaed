package org.svcmailbox.bench.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * A persistent HTTP/1.1 connection that reads only what the server sends, to save CPU. One thread.
 */
public final class HttpConnection implements Closeable {
  private static final String LENGTH = "content-length:";
  private static final int CHUNKS = -1;
  private static final int TIMEOUT_MILLIS = 60_000;

  private final Socket socket = new Socket();
  private final InputStream in;
  private final String host;
  private final String authorization;

  public HttpConnection(LoadTarget target) throws IOException {
    URI server = target.server();
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    socket.connect(new InetSocketAddress(server.getHost(), server.getPort()), TIMEOUT_MILLIS);
    in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
    host = server.getHost();
    authorization = "Bearer " + target.token();
  }

  /**
   * Posts JSON and returns the body of the answer.
   *
   * @throws IOException if the status is not 2xx
   */
  public String post(String path, String json) throws IOException {
    return call("POST", path, json);
  }

  /**
   * Posts a batch and returns the body of the answer.
   *
   * @throws IOException if the service refused an element
   */
  public String postBatch(String path, String json) throws IOException {
    String answer = post(path, json);
    if (answer.contains("\"error\"")) {
      throw new IOException(path + " refused part of a batch: " + answer);
    }
    return answer;
  }

  /**
   * Makes a call and returns the body of the answer.
   *
   * @throws IOException if the status is not 2xx
   */
  public String call(String method, String path, String json) throws IOException {
    return exchange(path, request(method, path, json));
  }

  private byte[] request(String method, String path, String json) {
    byte[] body = json.getBytes(StandardCharsets.UTF_8);
    String head =
        method
            + " "
            + path
            + " HTTP/1.1\r\nHost: "
            + host
            + "\r\nAuthorization: "
            + authorization
            + "\r\nContent-Type: application/json\r\nContent-Length: "
            + body.length
            + "\r\n\r\n";
    byte[] request = new byte[head.length() + body.length];
    System.arraycopy(head.getBytes(StandardCharsets.US_ASCII), 0, request, 0, head.length());
    System.arraycopy(body, 0, request, head.length(), body.length);
    return request;
  }

  /**
   * Writes a complete request and returns the body of the answer.
   *
   * @param what name of the request in errors
   */
  public String exchange(String what, byte[] request) throws IOException {
    socket.getOutputStream().write(request);
    return answer(what);
  }

  /** As {@link #post}, but returns the problem of a refusal. */
  public String tried(String path, String json) throws IOException {
    socket.getOutputStream().write(request("POST", path, json));
    String unused = line();
    return body();
  }

  private String answer(String path) throws IOException {
    String status = line();
    String body = body();
    if (!status.startsWith("HTTP/1.1 2")) {
      throw new IOException(path + " was answered " + status + ": " + body);
    }
    return body;
  }

  private String body() throws IOException {
    int length = 0;
    for (String line = line(); !line.isEmpty(); line = line()) {
      String lower = line.toLowerCase(Locale.ROOT);
      if (lower.startsWith(LENGTH)) {
        length = Integer.parseInt(lower.substring(LENGTH.length()).trim());
      } else if (lower.startsWith("transfer-encoding")) {
        length = CHUNKS;
      }
    }
    // Callers search the body for ASCII only.
    return new String(length == CHUNKS ? chunks() : in.readNBytes(length), ISO_8859_1);
  }

  /** A long answer, as of a batch that is refused. */
  private byte[] chunks() throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    for (int size = size(); size > 0; size = size()) {
      body.write(in.readNBytes(size));
      String unused = line();
    }
    String unused = line();
    return body.toByteArray();
  }

  private int size() throws IOException {
    return Integer.parseInt(line().trim(), 16);
  }

  private String line() throws IOException {
    return line(in);
  }

  /** Reads a line of a head, without its end. */
  public static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder(40);
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new EOFException("closed by the server");
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
