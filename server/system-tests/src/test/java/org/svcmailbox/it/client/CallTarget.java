package org.svcmailbox.it.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.test.net.RawConnection;

/**
 * A server to call, and the capability to call it with.
 *
 * @param token asked for at each call; null for none
 */
public record CallTarget(URI server, Supplier<@Nullable String> token) {
  /** With one capability for good. */
  public CallTarget(URI server, @Nullable String token) {
    this(server, () -> token);
  }

  /** With the capability that the server left its operator in a file. */
  public static CallTarget asOperator(URI server, Path file) {
    try {
      return new CallTarget(server, Files.readString(file).strip());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The same server with another capability. */
  public CallTarget with(@Nullable String other) {
    return new CallTarget(server, other);
  }

  /** A connection to the server. */
  public RawConnection connect() throws IOException {
    return RawConnection.to(address());
  }

  /** A connection on which little of an answer is on its way unread. */
  public RawConnection connectNarrow() throws IOException {
    return RawConnection.narrow(address());
  }

  private InetSocketAddress address() {
    return new InetSocketAddress(server.getHost(), server.getPort());
  }

  /** The first lines of a request, to which more headers and an empty line are added. */
  public String head(String method, String path) {
    String presented = token.get();
    return method
        + " "
        + path
        + " HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\n"
        + (presented == null ? "" : "Authorization: Bearer " + presented + "\r\n");
  }

  /** A whole POST of a JSON body. */
  public byte[] post(String path, Fields body) {
    String json = body.text();
    int length = json.getBytes(StandardCharsets.UTF_8).length;
    String request = head("POST", path) + "Content-Length: " + length + "\r\n\r\n" + json;
    return request.getBytes(StandardCharsets.UTF_8);
  }
}
