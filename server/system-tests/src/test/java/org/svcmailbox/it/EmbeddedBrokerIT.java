package org.svcmailbox.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** No packet of a stranger reaches the broker of the server's process. */
class EmbeddedBrokerIT {
  private static final Path CONFIGURATION =
      Path.of(System.getProperty("mailbox.server.home"), "standalone", "configuration");

  /** All kinds of acceptors, those of clusters and bridges too. */
  private static final Pattern OPENINGS =
      Pattern.compile(
          "<([a-z-]*(?:acceptor|cluster-connection|broadcast-group|discovery-group))\\b");

  @Test
  void itHasNoAcceptorButForThisProcess() throws IOException {
    String server = Files.readString(CONFIGURATION.resolve("standalone.xml"));
    List<String> found = OPENINGS.matcher(server).results().map(match -> match.group(1)).toList();
    assertEquals(List.of("in-vm-acceptor"), found);
  }

  @Test
  void noOptionOfTheServerAddsOne() throws IOException {
    try (Stream<Path> files = Files.list(CONFIGURATION)) {
      List<Path> options = files.filter(file -> file.toString().endsWith(".yaml")).toList();
      assertFalse(options.isEmpty());
      for (Path option : options) {
        assertFalse(Files.readString(option).contains("acceptor"), option::toString);
      }
    }
  }
}
