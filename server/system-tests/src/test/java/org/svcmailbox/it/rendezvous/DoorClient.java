package org.svcmailbox.it.rendezvous;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.test.net.RawConnection;
import org.svcmailbox.test.net.RawConnection.Response;

/**
 * Calls the rendezvous door, each call on a connection of its own.
 *
 * @param address of the door, or of what stands before it
 * @param headers of each call
 */
record DoorClient(InetSocketAddress address, List<String> headers) {
  /** A client of a server's door. */
  static DoorClient of(MailboxServer server, String... headers) {
    return at(server.port(OpenDoor.PORT), headers);
  }

  static DoorClient at(int port, String... headers) {
    return new DoorClient(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), port), List.of(headers));
  }

  /** The same with more headers. */
  DoorClient with(String... more) {
    List<String> all = new ArrayList<>(headers);
    all.addAll(List.of(more));
    return new DoorClient(address, all);
  }

  /** A mailbox that no other test uses. */
  static String mailbox(String name) {
    return "/v1/mailbox/" + "%064x".formatted(new BigInteger(1, name.getBytes(UTF_8)));
  }

  RawConnection connect() throws IOException {
    return RawConnection.to(address);
  }

  /** A request's bytes as characters. */
  String request(String method, String path, String body, String... more) {
    List<String> lines = new ArrayList<>(List.of(method + " " + path + " HTTP/1.1", "Host: door"));
    lines.addAll(headers);
    lines.addAll(List.of(more));
    if (method.equals("POST")) {
      lines.add(RawConnection.length(body.length()));
    }
    return String.join("\r\n", lines) + "\r\n\r\n" + body;
  }

  Response call(String method, String path, String body, String... more) throws IOException {
    try (RawConnection connection = connect()) {
      return connection.send(request(method, path, body, more)).receive();
    }
  }

  Response post(String mailbox, String body) throws IOException {
    return call("POST", mailbox, body);
  }

  Response get(String mailbox) throws IOException {
    return call("GET", mailbox, "");
  }

  /** A GET that waits, on its connection. */
  RawConnection waiting(String mailbox, int millis) throws IOException {
    return connect().send(request("GET", mailbox + "?wait_ms=" + millis, ""));
  }

  /** A value of the door's metrics. */
  double metric(String name) throws IOException {
    String text = get("/metrics").expect(200).body();
    return text.lines()
        .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "{"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }
}
