package org.svcmailbox.core.rendezvous.mailbox;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.svcmailbox.core.rendezvous.Access;
import org.svcmailbox.core.rendezvous.GetOutcome;
import org.svcmailbox.core.rendezvous.GetOutcome.Found;
import org.svcmailbox.core.rendezvous.Handover;
import org.svcmailbox.core.rendezvous.PostOutcome;

/**
 * Runs random programs on the real and the naive mailboxes. After every step outcomes, contents and
 * byte counts must agree.
 */
class RendezvousProgramTest {
  private static final int STEPS = 12_000;
  private static final int RECIPIENTS = 7;
  private static final Duration MESSAGE_TTL = Duration.ofSeconds(10);
  private static final Duration IDLE_TTL = Duration.ofSeconds(20);

  private static final NaiveRendezvous.Bounds BOUNDS =
      new NaiveRendezvous.Bounds(2_097_152, 4, 3, 8, 3, 5);

  static Stream<Long> seeds() {
    Long given = Long.getLong("mailbox.seed");
    return given != null ? Stream.of(given) : LongStream.of(1, 2, 3, System.nanoTime()).boxed();
  }

  @ParameterizedTest(name = "-Dmailbox.seed={0}")
  @MethodSource("seeds")
  void theDoorAgreesWithTheNaiveOne(long seed) {
    new Program(seed).run();
  }

  /** One GET at both services. */
  private static final class Call {
    final NaiveRendezvous.Get naive;
    final List<GetOutcome> told = new ArrayList<>();
    boolean isValid = true;
    Runnable abandon = () -> {};

    Call(NaiveRendezvous.Get naive) {
      this.naive = naive;
    }

    @Nullable Handover handover() {
      return !told.isEmpty() && told.get(0) instanceof Found found ? found.handover() : null;
    }

    String said() {
      Handover handover = handover();
      if (handover != null) {
        return "Found " + id(handover.body()) + ", " + handover.remaining() + " left";
      }
      return told.isEmpty() ? "" : told.get(0).getClass().getSimpleName();
    }
  }

  private static int id(byte[] body) {
    return ByteBuffer.wrap(body).getInt();
  }

  private static final class Program {
    private final long seed;
    private final Random random;
    private final Scene scene =
        new Scene(
            "max_bytes", "2097152",
            "max_mailboxes", "4",
            "max_queue_length", "3",
            "max_waiting", "8",
            "max_waiting_per_mailbox", "3",
            "max_waiting_per_address", "5",
            "message_ttl", "10s",
            "idle_mailbox_ttl", "20s");
    private final NaiveRendezvous naive =
        new NaiveRendezvous(BOUNDS, MESSAGE_TTL.toNanos(), IDLE_TTL.toNanos());
    private final List<Call> calls = new ArrayList<>();
    private final Map<Integer, Long> sequences = new HashMap<>();
    private final Map<Integer, Integer> lastSeen = new HashMap<>();
    private final Map<PostOutcome, Integer> posts = new EnumMap<>(PostOutcome.class);
    private final Map<String, Integer> gets = new TreeMap<>();
    private int messages;
    private int step;

    Program(long seed) {
      this.seed = seed;
      this.random = new Random(seed);
    }

    void run() {
      for (step = 0; step < STEPS; step++) {
        advance(Duration.ofNanos(1));
        act();
        check();
      }
      assertTrue(
          posts.size() == 4 && gets.size() == 5,
          () -> where() + ": nothing of interest: " + posts + gets);
    }

    private String where() {
      return "seed " + seed + ", step " + step;
    }

    private void act() {
      int action = random.nextInt(100);
      if (action < 34) {
        post();
      } else if (action < 62) {
        get();
      } else if (action < 82) {
        settle();
      } else if (action < 87) {
        abandon();
      } else if (action < 91) {
        revoke();
      } else if (action < 97) {
        advance(Duration.ofNanos(random.nextLong(Duration.ofSeconds(4).toNanos())));
      } else {
        naive.evict();
        scene.mailboxes.evictExpired();
      }
    }

    private @Nullable String client() {
      int client = random.nextInt(4);
      return client == 0 ? null : "192.0.2." + client;
    }

    private static Access access(@Nullable String client, Call call) {
      return new Access(client == null ? null : Scene.address(client), () -> call.isValid);
    }

    private void post() {
      int recipient = random.nextInt(RECIPIENTS);
      int size = random.nextInt(4) == 0 ? random.nextInt(900_000) : random.nextInt(50_000);
      byte[] body = new byte[Integer.BYTES + size];
      ByteBuffer.wrap(body).putInt(++messages);
      String client = client();
      Access access = new Access(client == null ? null : Scene.address(client), () -> true);
      PostOutcome expected = naive.post(messages, recipient, client, Budget.charge(body));
      assertEquals(
          expected, scene.mailboxes.post(access, Scene.recipient(recipient), body), this::where);
      posts.merge(expected, 1, Integer::sum);
    }

    private void get() {
      int recipient = random.nextInt(RECIPIENTS);
      String client = client();
      Duration wait =
          random.nextInt(3) == 0
              ? Duration.ZERO
              : Duration.ofNanos(1 + random.nextLong(Duration.ofSeconds(20).toNanos()));
      Call call = new Call(new NaiveRendezvous.Get(recipient, client, naive.now + wait.toNanos()));
      calls.add(call);
      naive.get(call.naive, !wait.isZero());
      call.abandon =
          scene.mailboxes.get(
              access(client, call), Scene.recipient(recipient), wait, call.told::add);
    }

    private void settle() {
      List<Call> unsettled = calls.stream().filter(call -> call.handover() != null).toList();
      if (!unsettled.isEmpty()) {
        Call call = unsettled.get(random.nextInt(unsettled.size()));
        Handover handover = call.handover();
        boolean isWritten = random.nextInt(3) > 0;
        note(call, isWritten);
        calls.remove(call);
        naive.settle(call.naive.recipient, isWritten);
        if (handover != null && isWritten) {
          handover.written();
        } else if (handover != null) {
          handover.failed();
        }
      }
    }

    /** Sequence numbers of written messages rise; a redelivered message keeps its own. */
    private void note(Call call, boolean isWritten) {
      Handover handover = call.handover();
      if (handover != null) {
        int id = id(handover.body());
        Long before = sequences.put(id, handover.sequence());
        assertTrue(before == null || before == handover.sequence(), this::where);
        int last = lastSeen.getOrDefault(call.naive.recipient, 0);
        assertTrue(last < id, this::where);
        assertTrue(
            last == 0 || requireNonNull(sequences.get(last)) < handover.sequence(),
            () -> where() + ": a number was repeated");
        if (isWritten) {
          lastSeen.put(call.naive.recipient, id);
        }
      }
    }

    private void abandon() {
      List<Call> waiting = calls.stream().filter(call -> call.told.isEmpty()).toList();
      if (!waiting.isEmpty()) {
        Call call = waiting.get(random.nextInt(waiting.size()));
        naive.leave(call.naive, "");
        call.abandon.run();
        calls.remove(call);
        assertTrue(call.told.isEmpty(), this::where);
      }
    }

    private void revoke() {
      List<Call> waiting = calls.stream().filter(call -> call.told.isEmpty()).toList();
      if (!waiting.isEmpty()) {
        Call call = waiting.get(random.nextInt(waiting.size()));
        call.isValid = false;
        call.naive.isValid = false;
      }
    }

    /** Ends waits one by one, so that no two mailboxes are used at the same moment. */
    private void advance(Duration by) {
      long end = naive.now + by.toNanos();
      while (naive.now != end) {
        long next = end;
        for (NaiveRendezvous.Get get : naive.waiting) {
          next = Math.min(next, Math.max(get.deadline, naive.now + 1));
        }
        scene.time.advance(Duration.ofNanos(next - naive.now));
        naive.now = next;
        naive.endWaits();
        scene.mailboxes.endWaits();
      }
    }

    private void check() {
      for (Call call : calls) {
        assertEquals(call.naive.told, call.said(), this::where);
        assertTrue(call.told.size() <= 1, this::where);
      }
      calls.stream().map(Call::said).filter(said -> !said.isEmpty()).forEach(this::met);
      calls.removeIf(call -> !call.told.isEmpty() && call.handover() == null);
      GlobalStats stats = scene.mailboxes.globalStats();
      assertEquals(naive.bytes(), stats.bytes(), this::where);
      assertEquals(naive.messages().size(), stats.messages(), this::where);
      assertEquals(naive.mailboxes.size(), stats.mailboxes(), this::where);
      assertEquals(naive.waiting.size(), stats.waiting(), this::where);
      assertEquals(naive.evicted, stats.evicted(), this::where);
      for (int recipient = 0; recipient < RECIPIENTS; recipient++) {
        checkMailbox(recipient);
      }
      int stored = posts.getOrDefault(PostOutcome.STORED, 0);
      assertEquals(
          stored, stats.messages() + stats.evicted() + stats.delivered(), "nothing is lost");
    }

    private void met(String said) {
      gets.merge(said.startsWith("Found") ? "Found" : said, 1, Integer::sum);
    }

    private void checkMailbox(int recipient) {
      NaiveRendezvous.Mailbox expected = naive.mailboxes.get(recipient);
      MailboxStats found = scene.mailboxes.stats(Scene.recipient(recipient)).orElse(null);
      assertEquals(expected == null, found == null, this::where);
      if (expected != null && found != null) {
        assertEquals(expected.messages.size(), found.messages(), this::where);
        assertEquals(expected.beingWritten != null, found.isHandingOver(), this::where);
      }
      long handovers =
          calls.stream()
              .filter(call -> call.naive.recipient == recipient && call.handover() != null)
              .count();
      assertTrue(handovers <= 1, () -> where() + ": two handovers of one mailbox");
    }
  }
}
