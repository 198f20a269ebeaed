package org.svcmailbox.client.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.MailboxConnectionException.Outcome;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.Outgoing;
import org.svcmailbox.client.SendResult;
import org.svcmailbox.client.Sent;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.memory.InMemoryDriver;
import org.svcmailbox.client.spi.DriverDelivery;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.net.BreakingProxy;
import org.svcmailbox.test.net.BreakingProxy.Fault;

/**
 * A network that breaks the answer to each call after each of its bytes. The service has done the
 * call every time; the caller repeats it while its outcome is unknown, and nothing is lost or done
 * twice.
 *
 * <p>The property {@code broken.answer.step} leaves bytes out, other ones each day.
 */
@Timeout(180)
class BrokenAnswerTest {
  private static final Duration LEASE = Duration.ofMinutes(5);
  private static final Duration CALL_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Long enough for most answers, and any other is repeated. */
  private static final Duration STALL_TIMEOUT = Duration.ofMillis(200);

  /** So that stalled calls wait side by side. */
  private static final int LANES = 16;

  private static final int STEP = Integer.getInteger("broken.answer.step", 1);

  private final QueueService service = new QueueService();
  private final HttpConnections connections = HttpConnections.builder().max(4 * LANES).build();
  private final ExecutorService threads = Executors.newFixedThreadPool(LANES);

  BrokenAnswerTest() throws IOException {}

  @AfterEach
  void close() {
    threads.shutdownNow();
    service.close();
  }

  /** A call whose answer the network breaks, and the state that must follow. */
  enum Call {
    SEND {
      @Override
      void run(Lane lane) {
        lane.sent = List.of(lane.mailbox.send(Outgoing.of("apple")));
      }

      @Override
      void verify(Lane lane) {
        assertEquals(lane.sentIds(), lane.drain());
      }
    },
    SEND_ALL {
      @Override
      void run(Lane lane) {
        lane.sent =
            lane.mailbox.sendAll(List.of(Outgoing.of("apple"), Outgoing.of("pear"))).stream()
                .map(SendResult::orThrow)
                .toList();
      }

      @Override
      void verify(Lane lane) {
        assertEquals(lane.sentIds(), lane.drain());
      }
    },
    RECEIVE {
      @Override
      void run(Lane lane) {
        lane.queue.send(QueueService.message("apple"));
        lane.receive(1);
      }

      @Override
      void verify(Lane lane) {
        Message<String, String> message = lane.held.remove();
        assertEquals("apple", message.body());
        assertEquals(1, lane.queue.heldCount());
        lane.queue.purge();
      }
    },
    ACKNOWLEDGE {
      @Override
      void run(Lane lane) {
        lane.repeat(() -> lane.message().acknowledge());
      }

      @Override
      void verify(Lane lane) {
        lane.held.remove();
        assertEquals(lane.held.size(), lane.queue.approximateCount());
      }
    },
    NACK {
      @Override
      void run(Lane lane) {
        lane.repeat(() -> lane.message().nack(Duration.ZERO, "again"));
      }

      @Override
      void verify(Lane lane) {
        assertEquals(List.of(lane.held.remove().id()), lane.drain());
      }
    },
    EXTEND {
      @Override
      void run(Lane lane) {
        lane.repeat(() -> lane.message().extendVisibility(LEASE));
      }

      @Override
      void verify(Lane lane) {
        assertEquals(lane.held.size(), lane.queue.heldCount());
      }
    };

    abstract void run(Lane lane);

    abstract void verify(Lane lane);
  }

  static Stream<Arguments> breaks() {
    return Stream.of(Call.values())
        .flatMap(call -> Stream.of(Fault.values()).map(fault -> Arguments.of(call, fault)));
  }

  @ParameterizedTest
  @MethodSource("breaks")
  void nothingIsLostOrDoneTwiceWhereverAnAnswerBreaks(Call call, Fault fault) throws Exception {
    List<Future<Integer>> lanes = new ArrayList<>();
    int today = (int) (LocalDate.now(ZoneOffset.UTC).toEpochDay() % STEP);
    for (int first = today; first < LANES; first += STEP) {
      int number = first;
      lanes.add(threads.submit(() -> breakEvery(call, fault, number)));
    }
    int most = 0;
    for (Future<Integer> lane : lanes) {
      most = Math.max(most, lane.get());
    }
    assertTrue(most > 80, "the answers have only " + most + " bytes");
  }

  /** Breaks after every sixteenth byte; returns how many bytes the answers had. */
  private int breakEvery(Call call, Fault fault, int first) {
    try (Lane lane = new Lane("orders-" + first, fault)) {
      boolean broke = true;
      int bytes = first;
      for (; broke; bytes += LANES) {
        if (call.compareTo(Call.RECEIVE) > 0 && lane.held.isEmpty()) {
          lane.hold();
        }
        lane.repeats = 0;
        lane.proxy.breakNext(fault, bytes);
        call.run(lane);
        broke = lane.proxy.hasBroken();
        assertFalse(fault == Fault.PAUSE && lane.isRepeated(), "repeated after " + bytes);
        call.verify(lane);
      }
      return bytes;
    }
  }

  /** A topic behind a proxy of its own. */
  private final class Lane implements AutoCloseable {
    private static final int HELD = 10;

    private final BreakingProxy proxy = new BreakingProxy(service.port());
    private final InMemoryDriver queue;
    private final HttpMailbox<String, String> mailbox;
    private final Queue<Message<String, String>> held = new ArrayDeque<>();
    private List<Sent> sent = List.of();
    private int repeats;

    Lane(String topic, Fault fault) {
      queue = service.topic(topic);
      mailbox =
          HttpMailbox.builder(
                  URI.create("http://127.0.0.1:" + proxy.port()),
                  TokenSource.of("token"),
                  topic,
                  Codecs.utf8(),
                  Codecs.utf8())
              .connections(connections)
              .callTimeout(fault == Fault.STALL ? STALL_TIMEOUT : CALL_TIMEOUT)
              .random(() -> 0)
              .build();
    }

    List<String> sentIds() {
      return sent.stream().map(Sent::id).toList();
    }

    Message<String, String> message() {
      return held.element();
    }

    boolean isRepeated() {
      return repeats > 0 || sent.stream().anyMatch(Sent::duplicate);
    }

    /** Repeats a call as long as it may have happened or not. */
    void repeat(Runnable call) {
      boolean done = false;
      while (!done) {
        boolean broken = proxy.isBroken();
        try {
          call.run();
          done = true;
        } catch (MailboxConnectionException e) {
          // On a slow machine, the short timeout may end before the first attempt.
          if (proxy.isBroken() && !broken) {
            assertEquals(Outcome.UNKNOWN, e.outcome(), e::toString);
          }
          repeats++;
        }
      }
    }

    void hold() {
      for (int i = 0; i < HELD; i++) {
        queue.send(QueueService.message("apple"));
      }
      receive(HELD);
    }

    /**
     * Receives so many messages. A message whose answer was lost comes again when its lease ends.
     */
    void receive(int count) {
      Deadline.in(PATIENCE)
          .await(
              () -> {
                repeat(
                    () -> {
                      queue.expireLeases();
                      held.addAll(mailbox.receive(HELD, LEASE, Duration.ZERO));
                    });
                return held.size() == count;
              },
              () -> held.size() + " messages of " + count);
    }

    /** Takes what is ready out of the queue. */
    List<String> drain() {
      try {
        List<DriverDelivery> ready = queue.receive(HELD, LEASE, Duration.ZERO);
        ready.forEach(queue::acknowledge);
        return ready.stream().map(DriverDelivery::id).toList();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void close() {
      mailbox.close();
      proxy.close();
    }
  }
}
