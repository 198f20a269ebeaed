package org.svcmailbox.client.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.svcmailbox.client.BackendFeatures;
import org.svcmailbox.client.BackendFeatures.Ordering;
import org.svcmailbox.client.KeyConflictException;
import org.svcmailbox.client.MailboxFullException;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.Outgoing;
import org.svcmailbox.client.ReceiptHandleExpiredException;
import org.svcmailbox.client.Sent;
import org.svcmailbox.client.memory.InMemoryMailbox;
import org.svcmailbox.client.memory.VirtualClock;
import org.svcmailbox.client.testing.NaiveMailbox.Delivered;
import org.svcmailbox.client.testing.NaiveMailbox.SendAnswer;
import org.svcmailbox.client.testing.NaiveMailbox.Stored;

/**
 * Random programs run on the mailbox in memory and on the naive one, which must agree after every
 * step. A failure names the seed; {@code -Dmailbox.seed} repeats it.
 */
class RandomProgramTest {
  private static final int STEPS = 3_000;
  private static final int CAPACITY = 12;
  private static final int FIXED_SEEDS = 20;

  static LongStream seeds() {
    Long given = Long.getLong("mailbox.seed");
    return given != null
        ? LongStream.of(given)
        : LongStream.concat(
            LongStream.rangeClosed(1, FIXED_SEEDS), LongStream.of(System.nanoTime()));
  }

  @ParameterizedTest(name = "-Dmailbox.seed={0}")
  @MethodSource("seeds")
  void theMailboxAgreesWithTheModel(long seed) {
    new Program(seed, Ordering.FIFO).run();
  }

  @ParameterizedTest(name = "-Dmailbox.seed={0}")
  @MethodSource("seeds")
  void theMailboxWithStrictOrderAgreesWithTheModel(long seed) {
    new Program(seed, Ordering.STRICT).run();
  }

  private static final class Program {
    private final long seed;
    private final Random random;
    private final VirtualClock clock = new VirtualClock();
    private final InMemoryMailbox<String, String> mailbox;
    private final NaiveMailbox model;
    private final List<Message<String, String>> received = new ArrayList<>();
    private final Map<String, Integer> numbers = new HashMap<>();
    private final Map<String, Integer> met = new TreeMap<>();

    Program(long seed, Ordering ordering) {
      this.seed = seed;
      this.random = new Random(seed);
      this.model = new NaiveMailbox(CAPACITY, ordering == Ordering.STRICT);
      this.mailbox =
          InMemoryMailbox.<String, String>builder("random")
              .clock(clock)
              .capacity(CAPACITY)
              .like(BackendFeatures.IN_MEMORY.with(changed -> changed.ordering(ordering)))
              .build();
    }

    void run() {
      for (int step = 0; step < STEPS; step++) {
        try {
          step();
          assertEquals(model.messages.size(), mailbox.approximateCount());
          assertEquals(model.heldCount(), mailbox.heldCount());
        } catch (AssertionError | RuntimeException e) {
          throw new AssertionError("seed " + seed + ", step " + step + ": " + e.getMessage(), e);
        }
      }
      for (String event :
          List.of("sent", "duplicate", "conflict", "full", "received", "stale", "settled")) {
        assertTrue(met.containsKey(event), () -> "seed " + seed + " never met " + event + met);
      }
    }

    private void step() {
      switch (random.nextInt(10)) {
        case 0, 1, 2 -> send();
        case 3, 4 -> receive();
        case 5, 6, 7 -> settle();
        case 8 -> advance();
        default -> {
          if (random.nextInt(20) == 0) {
            assertEquals(OptionalLong.of(model.purge()), mailbox.purge());
          }
        }
      }
    }

    private void send() {
      String body = "body " + random.nextInt(2);
      @Nullable String key = random.nextBoolean() ? "key " + random.nextInt(8) : null;
      @Nullable String group = random.nextBoolean() ? "group " + random.nextInt(3) : null;
      Duration delay = random.nextInt(4) == 0 ? span() : Duration.ZERO;
      Outgoing.Builder<String, Object> message = Outgoing.builder(body).delay(delay);
      if (key != null) {
        message.key(key);
      }
      if (group != null) {
        message.group(group);
      }
      SendAnswer answer = model.send(body, key, group, delay);
      switch (answer) {
        case SENT -> {
          Sent sent = mailbox.send(message.build());
          assertEquals(false, sent.duplicate());
          numbers.put(sent.id(), model.lastNumber());
          meet("sent");
        }
        case DUPLICATE -> {
          assertEquals(true, mailbox.send(message.build()).duplicate());
          meet("duplicate");
        }
        case CONFLICT -> {
          assertThrows(KeyConflictException.class, () -> mailbox.send(message.build()));
          meet("conflict");
        }
        case FULL -> {
          assertThrows(MailboxFullException.class, () -> mailbox.send(message.build()));
          meet("full");
        }
      }
    }

    private void receive() {
      int most = 1 + random.nextInt(4);
      Duration visibility = span();
      List<Message<String, String>> messages = mailbox.receive(most, visibility, Duration.ZERO);
      List<Delivered> actual = new ArrayList<>();
      for (Message<String, String> m : messages) {
        actual.add(new Delivered(number(m), m.body(), m.deliveryCount(), m.lastError().orElse("")));
        meet("received");
      }
      assertEquals(model.receive(most, visibility), actual);
      received.addAll(messages);
    }

    /** Of one delivery or another, whether or not it is still good. */
    private void settle() {
      if (received.isEmpty()) {
        return;
      }
      int newest = received.size() - 1;
      Message<String, String> message = received.get(Math.max(0, newest - random.nextInt(8)));
      if (message.isFinalized()) {
        return;
      }
      int action = random.nextInt(3);
      Stored held =
          action == 0
              ? model.acknowledgeable(number(message), message.deliveryCount())
              : model.held(number(message), message.deliveryCount());
      Duration duration = span();
      Runnable call =
          switch (action) {
            case 0 -> message::acknowledge;
            case 1 -> () -> message.nack(duration, "error " + duration);
            default -> () -> message.extendVisibility(duration);
          };
      if (held == null) {
        assertThrows(ReceiptHandleExpiredException.class, call::run);
        meet("stale");
        return;
      }
      call.run();
      meet("settled");
      switch (action) {
        case 0 -> model.acknowledge(held);
        case 1 -> model.nack(held, duration, "error " + duration);
        default -> model.extend(held, duration);
      }
    }

    private void advance() {
      Duration duration = span();
      clock.advance(duration);
      model.advance(duration);
    }

    private int number(Message<String, String> message) {
      Integer number = numbers.get(message.id());
      assertTrue(number != null, () -> "a message that was never sent: " + message);
      return number == null ? -1 : number;
    }

    private Duration span() {
      return Duration.ofMillis(1 + random.nextInt(60));
    }

    private void meet(String event) {
      met.merge(event, 1, Integer::sum);
    }
  }
}
