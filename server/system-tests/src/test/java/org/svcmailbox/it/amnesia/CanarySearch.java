package org.svcmailbox.it.amnesia;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.it.server.WrittenFiles;

/**
 * The search for canaries in everything that a server writes.
 *
 * @param temporary the server's directory for temporary files
 */
record CanarySearch(MailboxServer server, Path temporary) {
  /** Which canaries are in which files. The console is the operator's, not a file of the server. */
  Map<Canary, Set<String>> found() throws IOException {
    WrittenFiles files = new WrittenFiles();
    files.below(server.directory(), file -> !file.equals(server.output()));
    files.below(temporary, file -> true);
    if (server.isAlive()) {
      for (long process : server.processIds()) {
        files.deletedBy(process);
      }
    }
    assertTrue(files.count() > 0);
    Map<Canary, Set<String>> found = new TreeMap<>();
    files.read(
        (name, content) ->
            Canary.in(content)
                .forEach(
                    canary -> found.computeIfAbsent(canary, key -> new TreeSet<>()).add(name)));
    return found;
  }
}
