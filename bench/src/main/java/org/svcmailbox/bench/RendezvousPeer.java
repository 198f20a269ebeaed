package org.svcmailbox.bench;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.svcmailbox.test.net.PortOffset;

/**
 * A server that one would use in place of the rendezvous door, in processes of its own.
 *
 * @param key its name among figures
 * @param title its name in tables
 * @param wanted the ratio of the door to it that is the goal
 * @param needs a file without which it is not installed
 * @param install what installs it
 */
record RendezvousPeer(
    String key, String title, double wanted, Path needs, String install, Launch launch, Talk talk) {
  /** How it is started. */
  interface Launch {
    /**
     * The process.
     *
     * @param directory an empty one of its own
     */
    ProcessBuilder on(int port, Path directory) throws IOException;
  }

  /** How a client talks to it. */
  interface Talk {
    /**
     * One connection.
     *
     * @param mailbox the path of a mailbox that no other connection uses
     */
    Dialogue with(URI server, String mailbox, int number);
  }

  boolean isInstalled() {
    return Files.exists(needs);
  }

  Listener start(Path work) throws IOException {
    int port = PortOffset.freePort();
    Path directory = Files.createDirectories(work.resolve(key)).toAbsolutePath();
    return Listener.start(launch.on(port, directory), port, work.resolve(key + ".txt"));
  }

  /** The dialogues of one turn, each with a mailbox of its own that no turn before has used. */
  List<Dialogue> dialogues(URI server, int turn, int connections) {
    return IntStream.range(0, connections)
        .mapToObj(number -> talk.with(server, mailbox(turn, number), number))
        .toList();
  }

  /** The path of a mailbox. */
  static String mailbox(int turn, int number) {
    return "/v1/mailbox/%032x%032x".formatted(turn, number);
  }
}
