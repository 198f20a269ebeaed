package org.svcmailbox.client.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a lease of 12 s is extended, with which others, and when it is over. */
class HeartbeatLeaseTest {
  private static final Duration VISIBILITY = Duration.ofSeconds(12);

  /** Near the place where the clock's numbers begin again. */
  private static final long ZERO = Long.MAX_VALUE - Duration.ofSeconds(5).toNanos();

  private static long at(double seconds) {
    return ZERO + (long) (seconds * 1e9);
  }

  /** Events are {@code tried}, {@code extended@begun} and so on, each at a second. */
  private static HeartbeatLease after(String events) {
    HeartbeatLease lease = HeartbeatLease.begun(VISIBILITY, at(0));
    for (String event : events.isEmpty() ? new String[0] : events.split(" ", -1)) {
      String[] parts = event.split("@", -1);
      long moment = at(Double.parseDouble(parts[1]));
      lease =
          switch (parts[0]) {
            case "tried" -> lease.tried(moment);
            case "extended" -> lease.extended(moment);
            case "failed" -> lease.failed(moment);
            case "unextended" -> lease.unextended(moment);
            default -> throw new AssertionError(event);
          };
    }
    return lease;
  }

  @ParameterizedTest
  @CsvSource({
    // events, next attempt, end, silence at 20 s
    "'', 4, 12, 0",
    "tried@4, 6, 12, 16",
    "tried@4 extended@4, 8, 16, 0",
    // A late answer counts, and the attempt that follows is not news after it.
    "tried@4 tried@6 extended@4, 8, 16, 0",
    "tried@4 tried@6 extended@6, 10, 18, 0",
    "tried@4 tried@6 extended@6 extended@4, 10, 18, 0",
    "tried@4 tried@6 extended@4 extended@6, 10, 18, 0",
    // A refusal is repeated after a second, and is no silence.
    "tried@4 failed@4, 5, 12, 0",
    "tried@4 failed@5.5, 6, 12, 0",
    "tried@4 tried@6 failed@6, 7, 12, 14",
    "tried@4 extended@4 failed@4.5, 5.5, 16, 0"
  })
  void anAttemptFollowsAnAttempt(String events, double next, double end, double silence) {
    HeartbeatLease lease = after(events);

    // The pause is a nanosecond longer, so that it is not zero.
    assertEquals(at(next), lease.next() - (lease.next() - at(next) == 1 ? 1 : 0));
    assertEquals(at(end), lease.end());
    assertEquals(Duration.ofNanos((long) (silence * 1e9)), lease.silence(at(20)));
  }

  @Test
  void aLeaseIsOverAtItsEndAndDueAtItsNextAttempt() {
    HeartbeatLease lease = after("");

    assertEquals(List.of(false, true), List.of(lease.isOver(at(12) - 1), lease.isOver(at(12))));
    assertEquals(List.of(false, true), List.of(lease.isDue(at(4) - 1), lease.isDue(at(4))));
    assertEquals(at(4), lease.nextDue());
    assertEquals(at(12), after("tried@4 tried@6 tried@8 tried@10").nextDue());
  }

  @Test
  void aLeaseThatIsExtendedNoFurtherEnds() {
    HeartbeatLease lease = after("tried@4 unextended@5");

    assertEquals(at(12), lease.nextDue());
    assertEquals(at(11) - 1, lease.lastMoment());
  }

  @ParameterizedTest
  @CsvSource({
    // now, leases that began at 0, 1, 2 and 3 s, in batches of two
    "3.9, ''",
    "4, 0 1|2",
    "5, 0 1|2 3",
    "7, 0 1|2 3"
  })
  void leasesComeAlongWithOneThatIsDue(double now, String batches) {
    Map<Integer, HeartbeatLease> leases = new TreeMap<>();
    IntStream.range(0, 4).forEach(i -> leases.put(i, HeartbeatLease.begun(VISIBILITY, at(i))));

    assertEquals(batches, batches(leases, now));
  }

  @Test
  void aLeaseWhoseAttemptIsOutDoesNotComeAlong() {
    Map<Integer, HeartbeatLease> leases =
        new TreeMap<>(Map.of(0, after("tried@4"), 1, HeartbeatLease.begun(VISIBILITY, at(1))));

    assertEquals("1", batches(leases, 5));
    assertEquals("0 1", batches(leases, 6));
  }

  private static String batches(Map<Integer, HeartbeatLease> leases, double now) {
    Function<Integer, HeartbeatLease> lease = leases::get;
    return String.join(
        "|",
        HeartbeatLease.batches(leases.keySet(), lease, at(now), 2).stream()
            .map(batch -> String.join(" ", batch.stream().map(String::valueOf).toList()))
            .toList());
  }

  @ParameterizedTest
  @CsvSource({"1, 1, 16", "1, 100, 16", "8, 1, 64", "8, 100, 32", "1000, 100, 64", "1000, 1, 64"})
  void threadsAreBounded(int workers, int batch, int most) {
    assertEquals(most, LeaseThreads.most(workers, batch));
  }
}
