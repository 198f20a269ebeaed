package org.svcmailbox.web.event;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.DeniedException;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.health.Vital;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.problem.SaturatedException;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.settings.FairShare;
import org.svcmailbox.core.topic.Precondition;
import org.svcmailbox.core.topic.TopicChoice;
import org.svcmailbox.core.topic.TopicOrder;
import org.svcmailbox.core.topic.TopicOverrides;
import org.svcmailbox.test.servlet.StrictOutput;
import org.svcmailbox.web.FakeTopics;

/** Event streams, driven by a clock that the test moves. */
class EventStreamsTest {
  private static final String EVENT =
      "event: topics\ndata: {\"topics\":[],\"totals\":{\"topics\":0,\"ready\":0,\"scheduled\":0,"
          + "\"inflight\":0,\"dlq\":0,\"sent_per_s\":0.0,\"delivered_per_s\":0.0,"
          + "\"acked_per_s\":0.0},\"dlq_profile\":\"durable\","
          + "\"disk\":{\"free_bytes\":8,\"reserve_bytes\":7},\"undeliverable\":2}\n\n";
  private static final Duration EVERY = Duration.ofSeconds(2);
  private static final Caller CALLER = SampleCallers.OPERATOR;
  private static final EventView ALL = new EventView.Chosen(TopicChoice.ALL);

  private final AtomicInteger asked = new AtomicInteger();
  private final FakeTopics topics = new FakeTopics();
  private boolean isUp = true;
  private long nanos = Long.MAX_VALUE - Duration.ofSeconds(5).toNanos();
  private final EventStreams streams = streams(/* max= */ 2, /* percent= */ 100);

  private EventStreams streams(int max, int percent) {
    return new EventStreams(
        topics,
        part -> isUp ? Vital.up(part) : Vital.down(part, "stopping"),
        max,
        new FairShare(percent),
        () -> nanos);
  }

  /** A client that reads only while the test allows it. */
  private static final class Client extends ServletOutputStream {
    private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    private boolean reads = true;
    private boolean isFull;
    private boolean breaks;
    private int completed;

    @Override
    public boolean isReady() {
      isFull = isFull && !reads;
      return !isFull;
    }

    @Override
    public void setWriteListener(WriteListener listener) {
      throw new AssertionError("the servlet does that");
    }

    @Override
    public void write(int one) throws IOException {
      if (breaks) {
        throw new IOException("broken pipe");
      }
      taken.write(one);
      isFull = !reads;
    }

    String take() {
      String text = taken.toString(UTF_8);
      taken.reset();
      return text;
    }
  }

  private EventStream open(Client client, int events) {
    return open(client, ALL, CALLER, events);
  }

  private EventStream open(Client client, EventView view, Caller caller, int events) {
    EventStream[] opened = new EventStream[1];
    streams.open(
        caller,
        view,
        EVERY,
        events,
        terms -> {
          opened[0] = new EventStream(caller, terms, client, () -> client.completed++);
          return opened[0];
        });
    opened[0].onWritePossible();
    return opened[0];
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
    streams.step();
  }

  @Test
  void theFirstEventIsToldAtOnceAndTheNextWhenItIsDue() {
    Client client = new Client();
    open(client, 10);
    streams.step();
    assertEquals(EVENT, client.take());
    pass(EVERY.minusNanos(1));
    assertEquals("", client.take());
    pass(Duration.ofNanos(1));
    assertEquals(EVENT, client.take());
  }

  @Test
  void theEventIsBuiltOncePerStep() {
    topics.before = asked::incrementAndGet;
    Client one = new Client();
    Client other = new Client();
    open(one, 10);
    open(other, 10);
    streams.step();
    assertEquals(EVENT + EVENT, one.take() + other.take());
    assertEquals(1, asked.get());
  }

  /** Spelling and the order of opening make no other view. */
  @Test
  void eachViewIsBuiltOncePerStep() {
    name("orders", "mails", "Orders.eu");
    Client[] clients = {new Client(), new Client(), new Client(), new Client()};
    String[] parts = {"orders", "ORDERS", "mails", "orders"};
    TopicOrder[] orders = {
      TopicOrder.LETTERS, TopicOrder.LETTERS, TopicOrder.LETTERS, TopicOrder.NAME
    };
    EventStreams all = streams(/* max= */ 4, /* percent= */ 100);
    for (int i = 0; i < clients.length; i++) {
      EventView view = new EventView.Chosen(new TopicChoice(parts[i], orders[i], 1));
      Client client = clients[i];
      all.open(
          CALLER,
          view,
          EVERY,
          10,
          terms -> {
            EventStream stream = new EventStream(CALLER, terms, client, () -> {});
            stream.onWritePossible();
            return stream;
          });
    }
    topics.before = asked::incrementAndGet;
    all.step();
    List<String> told = Stream.of(clients).map(Client::take).toList();
    assertEquals(3, asked.get());
    assertEquals(told.get(0), told.get(1));
    assertTrue(told.get(0).contains("{\"topics\":2,"), told.get(0));
    assertTrue(told.get(0).contains("[{\"name\":\"Orders.eu\""), told.get(0));
    assertFalse(told.get(0).contains("\"orders\""), told.get(0));
    assertTrue(told.get(2).contains("[{\"name\":\"mails\""), told.get(2));
  }

  @Test
  void oneTopicIsSeenWithItsRightAloneUntilItIsDeleted() {
    name("orders", "mails");
    Caller reader = new SampleCallers().caller(1, "ops = peek", "topic = orders");
    EventView one = new EventView.One(new TopicName("orders"));
    assertThrows(DeniedException.class, () -> open(new Client(), ALL, reader, 10));
    EventView other = new EventView.One(new TopicName("mails"));
    assertThrows(DeniedException.class, () -> open(new Client(), other, reader, 10));
    EventView none = new EventView.One(new TopicName("none"));
    assertThrows(NotFoundException.class, () -> open(new Client(), none, CALLER, 10));
    Client client = new Client();
    EventStream stream = open(client, one, reader, 10);
    streams.step();
    String told = client.take();
    assertTrue(told.contains("[{\"name\":\"orders\""), told);
    assertFalse(told.contains("mails"), told);
    assertFalse(told.contains("undeliverable"), told);
    topics.delete(CALLER, new TopicName("orders"));
    pass(EVERY);
    assertTrue(stream.isEnded());
  }

  /** Of 5,000 topics with names of 40 characters and numbers of eight digits. */
  @Test
  void theLargestViewStaysBelow64KiB() {
    for (int i = 0; i < 5_000; i++) {
      name("orders.europe-west.payments.shop-%08d".formatted(10_000_000 + i));
    }
    topics.amount = 12_345_678;
    Client client = new Client();
    open(client, new EventView.Chosen(new TopicChoice("", TopicOrder.LETTERS, 200)), CALLER, 1);
    streams.step();
    String told = client.take();
    assertTrue(told.contains("{\"topics\":5000,"), told);
    assertTrue(told.length() <= 64 * 1024, () -> told.length() + " bytes");
  }

  private void name(String... names) {
    for (String name : names) {
      boolean unused =
          topics.put(CALLER, new TopicName(name), TopicOverrides.NONE, Precondition.NONE);
    }
  }

  @Test
  void afterSoManyEventsItEnds() {
    Client client = new Client();
    EventStream stream = open(client, 2);
    streams.step();
    assertFalse(stream.isEnded());
    pass(EVERY);
    assertTrue(stream.isEnded());
    assertEquals(1, client.completed);
    pass(EVERY);
    assertEquals(EVENT + EVENT, client.take());
  }

  @Test
  void aClientThatDoesNotReadMissesEventsAndIsDisconnected() {
    Client client = new Client();
    EventStream stream = open(client, 10);
    client.reads = false;
    streams.step();
    assertEquals(EVENT, client.take(), "what the server keeps for it");
    pass(EventStream.STALL_TIMEOUT.minusNanos(1));
    assertEquals("", client.take());
    client.reads = true;
    stream.onWritePossible();
    pass(Duration.ofNanos(1));
    assertEquals(":\n\n", client.take(), "not due before its time, missed or not");
    pass(EVERY);
    assertEquals(EVENT, client.take());
    client.reads = false;
    pass(EVERY);
    pass(EventStream.STALL_TIMEOUT);
    assertTrue(stream.isEnded());
    assertEquals(1, client.completed);
  }

  @Test
  void aDisconnectedClientIsForgotten() {
    Client client = new Client();
    EventStream stream = open(client, 10);
    client.breaks = true;
    streams.step();
    assertTrue(stream.isEnded());
    open(new Client(), 10);
    open(new Client(), 10);
  }

  @Test
  void eachEventIsFlushedByTheContractOfNonBlockingOutput() {
    AtomicInteger completed = new AtomicInteger();
    try (StrictOutput output = new StrictOutput()) {
      streams.open(
          CALLER,
          ALL,
          EVERY,
          2,
          terms -> {
            EventStream stream = new EventStream(CALLER, terms, output, completed::incrementAndGet);
            output.setWriteListener(stream);
            return stream;
          });
      output.settle();
      streams.step();
      output.settle();
      assertEquals(List.of("write", "flush"), output.calls());
      pass(EVERY);
      output.settle();
      assertEquals(List.of("write", "flush", "write", "flush"), output.calls());
      assertEquals(EVENT + EVENT, new String(output.taken(), UTF_8));
      assertEquals(1, completed.get());
    }
  }

  @Test
  void nothingIsSilentForLong() {
    Client client = new Client();
    open(client, 10);
    streams.step();
    client.take();
    topics.before =
        () -> {
          throw new UnavailableException("nothing to tell");
        };
    pass(EventStreams.HEARTBEAT.minusNanos(1));
    assertEquals("", client.take());
    pass(Duration.ofNanos(1));
    assertEquals(":\n\n", client.take());
  }

  @Test
  void oneTooManyIsRefusedUntilAPlaceIsFree() {
    EventStream first = open(new Client(), 10);
    open(new Client(), 10);
    assertThrows(SaturatedException.class, () -> open(new Client(), 10));
    first.abandon();
    open(new Client(), 10);
  }

  @Test
  void oneCapabilityLeavesPlacesForTheOthers() {
    EventStreams shared = streams(/* max= */ 8, /* percent= */ 75);
    SampleCallers people = new SampleCallers();
    for (int i = 0; i < 6; i++) {
      open(shared, people.caller(1));
    }
    assertThrows(SaturatedException.class, () -> open(shared, people.caller(1)));
    open(shared, people.caller(2));
  }

  private static void open(EventStreams streams, Caller caller) {
    streams.open(
        caller, ALL, EVERY, 10, terms -> new EventStream(caller, terms, new Client(), () -> {}));
  }

  @Test
  void everyStreamEndsAtItsDeadline() {
    Client client = new Client();
    EventStream stream = open(client, Integer.MAX_VALUE);
    streams.step();
    for (Duration past = EVERY;
        past.compareTo(EventStreams.MAX_DURATION) < 0;
        past = past.plus(EVERY)) {
      pass(EVERY);
      assertFalse(stream.isEnded(), past::toString);
    }
    pass(EVERY);
    assertTrue(stream.isEnded());
  }

  @Test
  void stoppingEndsAllStreamsAndRefusesNewOnes() {
    EventStream stream = open(new Client(), 10);
    isUp = false;
    streams.step();
    assertTrue(stream.isEnded());
    assertThrows(UnavailableException.class, () -> open(new Client(), 10));
  }

  @Test
  void whenItIsUndeployedAllEnd() {
    EventStream stream = open(new Client(), 10);
    streams.close();
    assertTrue(stream.isEnded());
    assertThrows(UnavailableException.class, () -> open(new Client(), 10));
  }
}
