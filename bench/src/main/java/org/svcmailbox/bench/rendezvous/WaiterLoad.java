package org.svcmailbox.bench.rendezvous;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import javax.net.SocketFactory;
import org.svcmailbox.bench.contestant.Server;
import org.svcmailbox.bench.figure.Figures;
import org.svcmailbox.bench.figure.Samples;
import org.svcmailbox.bench.http.HttpConnection;
import org.svcmailbox.bench.http.LoadTarget;
import org.svcmailbox.bench.machine.Heap;
import org.svcmailbox.bench.machine.ProcessUsage;
import org.svcmailbox.bench.machine.Progress;
import org.svcmailbox.bench.options.Options;

/** The memory of mailboxes and waiters in one server, and the wake-up times of waiters. */
final class WaiterLoad {
  private static final int MANY = 10_000;
  private static final int WAKE_UPS_PER_SECOND = 500;
  private static final int FIRST_WAITERS = 2_000;
  private static final Duration FIRST_LOAD = Duration.ofSeconds(10);

  private final Options options;
  private final Server server;
  private final URI door;
  private final Figures figures;

  WaiterLoad(Options options, Server server, Figures figures) {
    this.options = options;
    this.server = server;
    this.door = Door.of(server);
    this.figures = figures;
  }

  /** Measures the heap of mailboxes that were used once and are empty. */
  void mailboxes(PeerRounds load) throws Exception {
    warmUp(SocketFactory.getDefault());
    load.load(door, FIRST_LOAD);
    long before = heap();
    try (HttpConnection connection = new HttpConnection(new LoadTarget(door, ""))) {
      for (int number = 0; number < MANY; number++) {
        String mailbox = RendezvousPeer.mailbox(0, number);
        connection.exchange("POST", HttpCall.post(mailbox, "", "x").bytes());
        connection.exchange("GET", HttpCall.get(mailbox).bytes());
      }
    }
    figures.add("mailboxes.kib", (double) (heap() - before));
  }

  /** Leaves pools and caches behind, which belong to no waiter. */
  void warmUp(SocketFactory sockets) throws IOException {
    try (WaitingGets waiting = new WaitingGets(sockets, door, FIRST_WAITERS)) {
      waiting.awaitAll();
    }
  }

  /**
   * Measures the memory of waiters.
   *
   * @param kind the kind of their connections, in the names of the figures
   */
  void waiters(String kind, SocketFactory sockets) throws Exception {
    Progress.say("memory, " + kind);
    long before = heap();
    long resident = new ProcessUsage(server.process()).mebibytes();
    try (WaitingGets waiting = new WaitingGets(sockets, door, MANY)) {
      waiting.awaitAll();
      figures.add("waiters." + kind + ".kib", (double) (heap() - before));
      long more = new ProcessUsage(server.process()).mebibytes() - resident;
      figures.add("waiters." + kind + ".process_mib", (double) more);
    }
  }

  /** Measures the time until a waiter has its message. */
  void wakeUps() throws Exception {
    Duration length = FIRST_LOAD.plus(options.load().multipliedBy(options.rounds()));
    Progress.say("wake-ups for " + length.toSeconds() + " s");
    List<Long> nanos = new WakeUps(door, MANY, WAKE_UPS_PER_SECOND, length).run(FIRST_LOAD);
    for (double percent : RendezvousReport.PERCENTS) {
      figures.add(RendezvousReport.wakeUp(percent), Samples.millis(nanos, percent));
    }
  }

  private long heap() throws IOException, InterruptedException {
    return Heap.liveKibibytes(server.pid(), options.work());
  }
}
