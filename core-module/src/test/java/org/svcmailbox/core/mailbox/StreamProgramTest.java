package org.svcmailbox.core.mailbox;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.delivery.Receipt;
import org.svcmailbox.core.delivery.SendOutcome.Accepted;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.mailbox.StreamClient.Got;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.stream.StreamEnd;
import org.svcmailbox.core.stream.StreamRequest;
import org.svcmailbox.core.stream.StreamRequest.OnClose;
import org.svcmailbox.core.stream.StreamRequest.Resume;

/**
 * Runs random programs of streams that are cut, resumed, blocked and restarted against a list of
 * messages. Nothing is lost, each attempt is exact, numbers have no gap, and no window is exceeded.
 */
class StreamProgramTest {
  private static final int STEPS = 3_000;
  private static final int MOST_STREAMS = 4;
  private static final Duration SHORT = Duration.ofMillis(400);

  /** Longer than a program. */
  private static final Duration LONG = Duration.ofHours(1);

  private static final Duration RESUMABLE = Duration.ofSeconds(30);

  static Stream<Long> seeds() {
    return Seeds.upTo(3);
  }

  @ParameterizedTest(name = "-Dmailbox.seed={0}")
  @MethodSource("seeds")
  void streamsAgreeWithTheListThroughCutsAndRestarts(long seed) {
    new Program(seed).run();
  }

  /** A message of the list. */
  private static final class Message {
    int attempt = 1;
    boolean isGone;
    @Nullable Receipt receipt;
    long deadline;

    /** Its story, for the message of a failure. */
    final StringBuilder told = new StringBuilder();

    void tell(String what) {
      told.append(what).append("; ");
    }

    /** The lease is over by the clock: an attempt is spent. */
    void look(long now) {
      if (receipt != null && deadline - now <= 0) {
        fail();
      }
    }

    void fail() {
      tell("failed");
      receipt = null;
      attempt++;
    }
  }

  private static final class Program {
    private final long seed;
    private final Random random;
    private final StreamRig rig;
    private final Map<MsgId, Message> list = new HashMap<>();
    private final List<StreamClient> open = new ArrayList<>();
    private final List<StreamClient> cut = new ArrayList<>();
    private final Map<StreamClient, StreamRequest> requests = new HashMap<>();
    private final Map<StreamClient, Long> firsts = new HashMap<>();
    private final Map<StreamClient, Long> cutAt = new HashMap<>();
    private final Map<String, Integer> met = new HashMap<>();
    private int keys;
    private int step;

    Program(long seed) {
      this.seed = seed;
      this.random = new Random(seed);
      this.rig =
          new StreamRig(
              seed,
              Map.of(
                  "mailbox.workers", "2",
                  "mailbox.ready_shards", "3",
                  "mailbox.max_attempts", "1000",
                  "mailbox.t_replay", "7d"));
    }

    private void met(String what) {
      met.merge(what, 1, Integer::sum);
    }

    private long now() {
      return rig.rig.time.nanos();
    }

    void run() {
      for (step = 0; step < STEPS; step++) {
        step();
        check();
      }
      finish();
      List<String> wanted =
          List.of(
              "acked",
              "stale",
              "nacked",
              "expired",
              "cut",
              "resumed",
              "taken over",
              "late",
              "restarted",
              "returned",
              "blocked");
      Seeds.requireMet(seed, met.keySet().containsAll(wanted), met.toString());
    }

    private void step() {
      switch (random.nextInt(16)) {
        case 0, 1, 2, 3 -> send();
        case 4, 5, 6 -> settle(true);
        case 7 -> settle(false);
        case 8 -> rig.pass(Duration.ofMillis(random.nextInt(600)));
        case 9 -> expire();
        case 10 -> openNew();
        case 11 -> cutOne();
        case 12, 13 -> resume();
        case 14 -> room();
        default -> restart();
      }
    }

    private void send() {
      String payload = "x".repeat(1 + random.nextInt(30));
      Accepted sent =
          assertInstanceOf(
              Accepted.class, rig.rig.send(StreamRig.TOPIC.value(), "key " + keys, payload));
      keys++;
      list.put(sent.msgId(), new Message());
      rig.run();
    }

    private void openNew() {
      if (open.size() < MOST_STREAMS) {
        OnClose onClose = random.nextInt(3) == 0 ? OnClose.NACK : OnClose.KEEP;
        open(request(onClose, null), 0);
      }
    }

    private StreamRequest request(OnClose onClose, @Nullable Resume resume) {
      return new StreamRequest(
          StreamRig.TOPIC,
          random.nextBoolean() ? SHORT : LONG,
          null,
          1 + random.nextInt(6),
          1 + random.nextInt(60),
          onClose,
          resume);
    }

    private void open(StreamRequest request, long last) {
      StreamClient client = new StreamClient();
      client.room = isPatient(request) ? random.nextInt(3) : Integer.MAX_VALUE;
      client.onMessage = got -> passed(client, got);
      requests.put(client, request);
      firsts.put(client, last + 1);
      open.add(client);
      try {
        rig.open(SampleCallers.OPERATOR, request, client);
      } catch (NotFoundException e) {
        open.remove(client);
        throw e;
      }
    }

    /** The list says what the message must look like. */
    private void passed(StreamClient client, Got got) {
      Message message = message(got);
      assertFalse(message.isGone, "it was settled");
      message.look(now());
      assertEquals(null, message.receipt, "held by another, seed " + seed + ": " + message.told);
      message.tell(step + " passed to " + client.stream().id() + " as " + got.number());
      assertEquals(message.attempt, StreamRig.attempt(got), message.told.toString());
      assertEquals(firsts.getOrDefault(client, 0L) + client.got.size() - 1, got.number());
      message.receipt = got.message().receipt();
      message.deadline = now() + got.message().visibility().toNanos();
    }

    private Message message(Got got) {
      return requireNonNull(list.get(id(got)), "invented");
    }

    private static MsgId id(Got got) {
      return got.message().message().envelope().msgId();
    }

    private boolean isHeld(Got got) {
      return got.message().receipt().equals(message(got).receipt);
    }

    private void check() {
      for (Message message : list.values()) {
        message.look(now());
      }
      for (StreamClient client : open) {
        long held = client.got.stream().filter(this::isHeld).count();
        int window = requests.get(client) == null ? 0 : requests.get(client).window();
        assertTrue(held <= window, held + " of " + window);
      }
    }

    private @Nullable Got any() {
      List<Got> all =
          Stream.concat(open.stream(), cut.stream()).flatMap(one -> one.got.stream()).toList();
      return all.isEmpty() ? null : all.get(Math.max(0, all.size() - 1 - random.nextInt(8)));
    }

    private void settle(boolean isAck) {
      Got got = any();
      if (got == null) {
        return;
      }
      boolean isHeld = isHeld(got);
      Message message = message(got);
      if (isHeld && isAck) {
        message.isGone = true;
        message.receipt = null;
      } else if (isHeld) {
        message.fail();
      } else if (isAck) {
        // A late ACK may count: ADR 5. It is left to RandomProgramTest.
        return;
      }
      SettleOutcome outcome = rig.rig.settle(request(got, isAck));
      rig.run();
      met(isHeld ? (isAck ? "acked" : "nacked") : "stale");
      assertEquals(isHeld, outcome instanceof SettleOutcome.Done, outcome.toString());
    }

    private static SettleRequest request(Got got, boolean isAck) {
      Receipt receipt = got.message().receipt();
      return isAck
          ? new SettleRequest.Ack(id(got), receipt)
          : new SettleRequest.Nack(id(got), receipt, "no", Duration.ZERO);
    }

    private void expire() {
      int before = list.values().stream().mapToInt(message -> message.attempt).sum();
      rig.pass(SHORT.plusMillis(200));
      check();
      if (list.values().stream().mapToInt(message -> message.attempt).sum() > before) {
        met("expired");
      }
    }

    private @Nullable StreamClient oneOf(List<StreamClient> clients) {
      return clients.isEmpty() ? null : clients.get(random.nextInt(clients.size()));
    }

    private void cutOne() {
      StreamClient client = oneOf(open);
      if (client == null) {
        return;
      }
      open.remove(client);
      if (onClose(client) == OnClose.NACK) {
        client.got.stream().filter(this::isHeld).map(this::message).forEach(Message::fail);
      }
      client.stream().cut();
      client.got.stream()
          .filter(this::isHeld)
          .forEach(got -> message(got).tell(step + " cut of " + client.stream().id()));
      cut.add(client);
      cutAt.put(client, now());
      rig.run();
      met("cut");
    }

    private @Nullable OnClose onClose(StreamClient client) {
      StreamRequest request = requests.get(client);
      return request == null ? null : request.onClose();
    }

    private void resume() {
      boolean isTakeover = random.nextInt(4) == 0;
      StreamClient before = oneOf(isTakeover ? open : cut);
      if (before == null) {
        return;
      }
      long first = firsts.getOrDefault(before, 1L);
      long last = first - 1 + random.nextInt(before.got.size() + 1);
      boolean isKnown =
          isTakeover
              || (onClose(before) == OnClose.KEEP
                  && now() - cutAt.getOrDefault(before, 0L) < RESUMABLE.toNanos());
      cut.remove(before);
      open.remove(before);
      StreamRequest request = request(OnClose.KEEP, new Resume(before.stream().id(), last));
      if (!isKnown) {
        assertThrows(NotFoundException.class, () -> open(request, last));
        met("late");
        return;
      }
      before.got.stream()
          .filter(got -> got.number() > last && isHeld(got))
          .forEach(
              got -> {
                message(got).tell(step + " returned by " + before.stream().id());
                message(got).receipt = null;
                met("returned");
              });
      open(request, last);
      met(isTakeover ? "taken over" : "resumed");
      if (isTakeover) {
        assertEquals(List.of(StreamEnd.RESUMED), before.ends);
      }
    }

    /** A lease begins before its message is passed, so short ones need a connection with room. */
    private static boolean isPatient(StreamRequest request) {
      return !SHORT.equals(request.visibility());
    }

    private void room() {
      StreamClient client = oneOf(open);
      StreamRequest request = requests.get(client);
      if (client != null && request != null && isPatient(request)) {
        met(client.isReady() ? "ready" : "blocked");
        client.takes(random.nextBoolean() ? random.nextInt(4) : Integer.MAX_VALUE);
        rig.run();
      }
    }

    /** Leases are handed to the next life; streams are not. */
    private void restart() {
      if (random.nextInt(5) > 0) {
        return;
      }
      list.values().forEach(message -> message.tell(step + " restart"));
      rig.restart();
      open.clear();
      cut.clear();
      met("restarted");
    }

    /** A client that takes everything acknowledges everything. */
    private void finish() {
      open.forEach(client -> client.stream().cut());
      open.clear();
      rig.rig.pass(LONG);
      check();
      StreamClient last = new StreamClient();
      last.onMessage = got -> passed(last, got);
      firsts.put(last, 1L);
      rig.open(SampleCallers.OPERATOR, StreamRig.request(1_000), last);
      for (int i = 0; i < last.got.size(); i++) {
        Got got = last.got.get(i);
        message(got).isGone = true;
        assertInstanceOf(SettleOutcome.Done.class, rig.ack(got));
      }
      assertTrue(list.values().stream().allMatch(message -> message.isGone), "lost");
      assertEquals(0, rig.rig.mailbox().limits().inflight());
      assertEquals(0, rig.rig.mailbox().limits().streamInflight().count());
    }
  }
}
