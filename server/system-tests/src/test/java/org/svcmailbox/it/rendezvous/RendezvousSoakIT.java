package org.svcmailbox.it.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.it.server.ProcessFootprint;
import org.svcmailbox.test.net.RawConnection;

/**
 * The door at half of what it can do, for {@code rendezvous.soak.seconds}: the heap stays as it is,
 * and every message comes out. Leaves its figures in {@code target/it/rendezvous-soak.txt}.
 */
@OpenDoor
@ResourceLock(OpenDoor.WAITERS)
@Tag("nightly")
class RendezvousSoakIT {
  private static final int CONNECTIONS = 16;
  private static final String BODY = RawConnection.body(1_024);
  private static final Duration CAPACITY = Duration.ofSeconds(2);
  private static final long MEBIBYTE = 1L << 20;

  /** Other tests of the same server allocate and free meanwhile. */
  private static final long SLACK = 32 * MEBIBYTE;

  @Test
  void halfTheCapacityLeavesTheHeapAsItWas(MailboxServer server) throws Exception {
    Duration length = Duration.ofSeconds(Integer.getInteger("rendezvous.soak.seconds", 5));
    DoorClient door = DoorClient.of(server, "Authorization: Bearer " + OpenDoor.TOKEN);
    int capacity = run(door, CAPACITY, 0).size() / (int) CAPACITY.toSeconds();
    int rate = Math.max(1, capacity / 2);
    List<Long> first = run(door, length.dividedBy(4), rate);
    long before = ProcessFootprint.of(server).heapBytes();
    List<Long> rest = run(door, length.multipliedBy(3).dividedBy(4), rate);
    long after = ProcessFootprint.of(server).heapBytes();
    report(rate, rest, before, after);
    assertTrue(first.size() + rest.size() >= rate * length.toSeconds() / 2, "the rate was kept");
    assertTrue(after < before + SLACK, () -> before + " and then " + after + " bytes of heap");
  }

  /**
   * Posts and gets on a few connections, each with a mailbox of its own.
   *
   * @param rate pairs a second, 0 for as many as there can be
   * @return the nanoseconds of each pair, from when it was due
   */
  private static List<Long> run(DoorClient door, Duration length, int rate) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS);
    AtomicLong next = new AtomicLong();
    long start = System.nanoTime();
    try {
      List<Callable<List<Long>>> loops = new ArrayList<>();
      for (int i = 0; i < CONNECTIONS; i++) {
        String mailbox = DoorClient.mailbox("soak " + i);
        loops.add(() -> loop(door, mailbox, () -> due(next, start, length, rate)));
      }
      List<Long> all = new ArrayList<>();
      for (Future<List<Long>> loop : threads.invokeAll(loops)) {
        all.addAll(loop.get());
      }
      return all;
    } finally {
      threads.shutdownNow();
    }
  }

  /** When the next pair is due; negative at the end. */
  private interface Schedule {
    long next();
  }

  private static long due(AtomicLong next, long start, Duration length, int rate) {
    long since =
        rate == 0 ? System.nanoTime() - start : next.getAndIncrement() * 1_000_000_000L / rate;
    if (since >= length.toNanos()) {
      return -1;
    }
    long left;
    while ((left = start + since - System.nanoTime()) > 0) {
      LockSupport.parkNanos(left);
    }
    return start + since;
  }

  private static List<Long> loop(DoorClient door, String mailbox, Schedule schedule)
      throws IOException {
    List<Long> taken = new ArrayList<>();
    String post = door.request("POST", mailbox, BODY);
    String get = door.request("GET", mailbox, "");
    try (RawConnection connection = door.connect()) {
      for (long due = schedule.next(); due >= 0; due = schedule.next()) {
        connection.send(post).receive().expect(202);
        assertEquals(BODY, connection.send(get).receive().expect(200).body());
        taken.add(System.nanoTime() - due);
      }
    }
    return taken;
  }

  private static void report(int rate, List<Long> nanos, long before, long after)
      throws IOException {
    List<Long> sorted = nanos.stream().sorted().toList();
    String figures =
        "%d pairs a second; ms of a pair: p50 %.2f, p95 %.2f, p99 %.2f; heap %d MiB, then %d MiB%n"
            .formatted(
                rate,
                percentile(sorted, 50),
                percentile(sorted, 95),
                percentile(sorted, 99),
                before / MEBIBYTE,
                after / MEBIBYTE);
    Files.writeString(Path.of("target", "it", "rendezvous-soak.txt"), figures);
  }

  private static double percentile(List<Long> sorted, int percent) {
    return sorted.get((sorted.size() - 1) * percent / 100) / 1e6;
  }
}
