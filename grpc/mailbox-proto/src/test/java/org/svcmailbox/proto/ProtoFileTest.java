package org.svcmailbox.proto;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Descriptors.MethodDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.svcmailbox.proto.v1.MailboxProto;

class ProtoFileTest {
  private static final Path FILE = Path.of("src/main/protobuf/mailbox/v1/mailbox.proto");

  /** A message, an enum, a service, a call, or a field. */
  private static final Pattern DECLARED =
      Pattern.compile(
          "\\s*(?:message|enum|service|rpc) \\w+.*|\\s*(?:(?:optional|repeated) )?[\\w.<>, ]+ \\w+ = \\d+;");

  @Test
  void everythingIsExplained() throws IOException {
    List<String> lines = Files.readAllLines(FILE);
    List<String> silent = new ArrayList<>();
    int declared = 0;
    for (int i = 1; i < lines.size(); i++) {
      if (DECLARED.matcher(lines.get(i)).matches()) {
        declared++;
        if (!lines.get(i - 1).strip().startsWith("// ")) {
          silent.add(lines.get(i));
        }
      }
    }
    assertEquals(List.of(), silent);
    assertTrue(declared > 120, declared + " declarations");
  }

  @Test
  void theCallsAreThoseOfTheInterface() {
    assertEquals(
        "Send SendBatch SendStream Recv RecvStream Ack Nack Extend",
        MailboxProto.getDescriptor().findServiceByName("Mailbox").getMethods().stream()
            .map(MethodDescriptor::getName)
            .collect(Collectors.joining(" ")));
  }

  @Test
  void theJarHasTheFile() throws IOException {
    try (InputStream packed =
        ProtoFileTest.class.getResourceAsStream("/mailbox/v1/mailbox.proto")) {
      assertTrue(packed != null, "the file is missing");
      assertEquals(Files.readString(FILE), new String(packed.readAllBytes(), UTF_8));
    }
  }
}
