package org.svcmailbox.cli;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Runs some commands against a service in this process, so that the JVM can record their classes.
 * {@code mailbox-cds} starts it.
 */
final class Rehearsal {
  /** A capability of no service. */
  private static final String CAPABILITY =
      "AgEHbWFpbGJveAInbWIxOmsxOjAwMTEyMjMzNDQ1NTY2Nzc4ODk5YWFiYmNjZGRlZWZmAAAGIKkMjVF3ydLilWvi7u2p"
          + "8tiqCMOWLrE-sVoLO8LYQFju";

  private static final String ANSWER =
      "{\"topics\":[],\"messages\":[],\"msg_id\":\"01\",\"duplicate\":false}";

  private Rehearsal() {}

  public static void main(String[] arguments) throws IOException {
    Path token = Files.createTempFile("mailbox", ".cap");
    try (ServerSocket service = new ServerSocket(0, 0, InetAddress.getLoopbackAddress())) {
      Files.writeString(token, CAPABILITY);
      Thread answering = new Thread(() -> answer(service), "service");
      answering.setDaemon(true);
      answering.start();
      rehearse("http://127.0.0.1:" + service.getLocalPort(), token);
    } finally {
      Files.delete(token);
    }
  }

  private static void rehearse(String url, Path token) {
    run(url, token, "--help");
    run(url, token, "--version");
    run(url, token, "cap", "inspect");
    run(url, token, "cap", "narrow", "--topic", "orders", "--expires-in", "1h");
    run(url, token, "topics", "--timeout", "1s");
    run(url, token, "send", "orders", "--timeout", "1s");
    run(url, token, "recv", "orders", "--timeout", "1s");
    run(url, token, "verify", "ledger");
  }

  private static void run(String url, Path token, String... arguments) {
    Surroundings surroundings =
        new Surroundings(
            new ByteArrayInputStream(new byte[0]),
            OutputStream.nullOutputStream(),
            new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8),
            Map.of("MAILBOX_URL", url, "MAILBOX_TOKEN_FILE", token.toString()),
            false,
            false);
    int unused = MailboxCli.run(surroundings, arguments);
  }

  /** Gives every connection the same answer, until the socket is closed. */
  private static void answer(ServerSocket service) {
    byte[] answer =
        ("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: "
                + ANSWER.length()
                + "\r\n\r\n"
                + ANSWER)
            .getBytes(StandardCharsets.US_ASCII);
    try {
      while (true) {
        try (Socket connection = service.accept()) {
          readRequest(connection.getInputStream());
          connection.getOutputStream().write(answer);
        }
      }
    } catch (IOException e) {
      return;
    }
  }

  /** Reads the head and, if the request has one, the body, which ends with a brace. */
  private static void readRequest(InputStream in) throws IOException {
    StringBuilder request = new StringBuilder();
    boolean ended = false;
    while (!ended) {
      int next = in.read();
      request.append((char) next);
      boolean hasBody = request.indexOf("POST") == 0;
      ended = next < 0 || (hasBody ? next == '}' : request.indexOf("\r\n\r\n") > 0);
    }
  }
}
