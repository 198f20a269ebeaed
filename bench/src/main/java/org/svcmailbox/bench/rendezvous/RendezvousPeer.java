package org.svcmailbox.bench.rendezvous;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.svcmailbox.bench.machine.Listener;
import org.svcmailbox.bench.report.PairFigures;
import org.svcmailbox.test.net.PortOffset;

/**
 * An alternative to the rendezvous door, in processes of its own.
 *
 * @param key prefix of its figures
 * @param title name in tables
 * @param wanted goal for the ratio of the door to it
 * @param needs file that exists if it is installed
 * @param install how to install it
 */
record RendezvousPeer(
    String key, String title, double wanted, Path needs, String install, Launch launch, Talk talk) {
  /** How to start it. */
  interface Launch {
    /**
     * The process that listens on this port.
     *
     * @param directory an empty directory of its own
     */
    ProcessBuilder on(int port, Path directory) throws IOException;
  }

  /** How a client uses it. */
  interface Talk {
    /**
     * The dialogue of one connection.
     *
     * @param mailbox path of a mailbox of this connection alone
     */
    Dialogue with(URI server, String mailbox, int number);
  }

  PairFigures names() {
    return new PairFigures(key);
  }

  boolean isInstalled() {
    return Files.exists(needs);
  }

  Listener start(Path work) throws IOException {
    int port = PortOffset.freePort();
    Path directory = Files.createDirectories(work.resolve(key)).toAbsolutePath();
    return Listener.start(launch.on(port, directory), port, work.resolve(key + ".txt"));
  }

  /** The dialogues of one turn, each with a mailbox that no earlier turn used. */
  List<Dialogue> dialogues(URI server, int turn, int connections) {
    return IntStream.range(0, connections)
        .mapToObj(number -> talk.with(server, mailbox(turn, number), number))
        .toList();
  }

  /** The path of a mailbox, unique for each turn and number. */
  static String mailbox(int turn, int number) {
    return "/v1/mailbox/%032x%032x".formatted(turn, number);
  }
}
