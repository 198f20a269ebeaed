package org.svcmailbox.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A service and a capability for the tests of commands. */
abstract class CliTest {
  static final String ID = "01JD2Q6V7Y8Z9A0B1C2D3E4F5G";
  static final String OTHER_ID = "01JD2Q6V7Y8Z9A0B1C2D3E4F5H";

  /** Signed with a key of the tests. */
  static final String CAPABILITY =
      "AgEHbWFpbGJveAInbWIxOmsxOjAwMTEyMjMzNDQ1NTY2Nzc4ODk5YWFiYmNjZGRlZWZmAAAGIKkMjVF3ydLilWvi7u2p"
          + "8tiqCMOWLrE-sVoLO8LYQFju";

  /** A token that the service could know of, and that is not the caller's own. */
  static final String OTHERS = CAPABILITY.replace("8tiq", "9tiq");

  static final String NONCE = "00112233445566778899aabbccddeeff";

  @TempDir Path directory;

  final FakeService service;
  final Map<String, String> environment = new HashMap<>();
  InputStream in = new ByteArrayInputStream(new byte[0]);
  boolean asks;

  CliTest() throws IOException {
    service = new FakeService();
  }

  /** How a run ended. */
  record Result(int code, String out, String err) {
    List<JsonNode> lines() {
      List<JsonNode> lines = new ArrayList<>();
      for (String line : out.lines().toList()) {
        try {
          lines.add(FakeService.MAPPER.readTree(line));
        } catch (IOException e) {
          throw new AssertionError("no JSON: " + line, e);
        }
      }
      return lines;
    }

    /** The only line. */
    JsonNode line() {
      if (lines().size() != 1) {
        throw new AssertionError("not one line: " + this);
      }
      return lines().get(0);
    }
  }

  @BeforeEach
  void configure() throws IOException {
    environment.put("MAILBOX_URL", service.url());
    environment.put("MAILBOX_TOKEN_FILE", write("token.cap", CAPABILITY + "\n").toString());
    environment.put("HOME", directory.toString());
    environment.put("PATH", System.getenv("PATH"));
  }

  @AfterEach
  void closeService() {
    service.close();
  }

  Path write(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  void input(String text) {
    in = new ByteArrayInputStream(text.getBytes(UTF_8));
  }

  Result run(String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code = run(out, err, arguments);
    return new Result(code, out.toString(UTF_8), err.toString(UTF_8));
  }

  int run(OutputStream out, OutputStream err, String... arguments) {
    Surroundings surroundings =
        new Surroundings(
            in, out, new PrintStream(err, true, UTF_8), Map.copyOf(environment), asks, false);
    return MailboxCli.run(surroundings, arguments);
  }
}
