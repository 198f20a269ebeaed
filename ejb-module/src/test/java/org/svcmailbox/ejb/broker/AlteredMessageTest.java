package org.svcmailbox.ejb.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.svcmailbox.core.batch.InMemoryProjectionStore;
import org.svcmailbox.core.bounds.DiskSpace;
import org.svcmailbox.core.broker.BrokerSession;
import org.svcmailbox.core.broker.SampleLog;
import org.svcmailbox.core.broker.SampleMessages;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.deadletter.DeadLetter;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.Signature;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.mailbox.Mailbox;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.message.MessageHistory;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.settings.SettingsLoader;
import org.svcmailbox.core.supervision.SampleSupervision;
import org.svcmailbox.core.topic.InMemoryTopicStore;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.TopicOverrides;
import org.svcmailbox.core.topic.TopicState;
import org.svcmailbox.ejb.admin.QueueNames;
import org.svcmailbox.ejb.broker.ArtemisFixture.Way;
import org.svcmailbox.ejb.broker.StoredFlips.Flip;
import org.svcmailbox.ejb.codec.EnvelopeCodec;
import org.svcmailbox.ejb.codec.HistoryCodec;
import org.svcmailbox.ejb.codec.MessageCodec;
import org.svcmailbox.test.concurrent.Deadline;

/** A message that was altered in the broker's files is never handed out. */
@ExtendWith(Brokers.Lender.class)
@ParameterizedClass(name = "{0}")
@EachWay
class AlteredMessageTest {
  private static final TopicName NAME = new TopicName("altered");
  private static final ShardId SHARD = new ShardId(NAME, 0);
  private static final SimpleString QUEUE = QueueNames.of(SHARD);

  /** Never used twice: the journal's files are used again, and have more in them than counts. */
  private static final AtomicInteger NUMBERS = new AtomicInteger();

  /** The delivery that each message is ready for. */
  private static final int ATTEMPT = 3;

  /** After each so many messages one is left as it is. */
  private static final int CONTROL = 25;

  /** Where the broker has the messages. */
  enum Place {
    JOURNAL,
    PAGES
  }

  private final Way way;
  private final StoredFlips flips = new StoredFlips();
  private final Set<Integer> untouched = new HashSet<>();
  private final InMemoryTopicStore topics = new InMemoryTopicStore(id -> {});
  private ArtemisFixture fixture;

  AlteredMessageTest(Way way) {
    this.way = way;
  }

  @BeforeEach
  void start(Brokers brokers) {
    fixture = brokers.start(EmbeddedArtemis.Options.standard(), way);
    topics.create(NAME, TopicState.fresh(TopicOverrides.NONE, 1), 0);
  }

  @ParameterizedTest
  @EnumSource
  void oneFlippedBitAnywhereMakesADeadLetterOfAMessage(Place place) {
    Mailbox mailbox = mailbox();
    mailbox.drain();
    if (place == Place.PAGES) {
      fixture.artemis().page(QUEUE);
    }
    send();
    assertEquals(place == Place.PAGES, fixture.artemis().isPaging(QUEUE));

    String files = place == Place.PAGES ? "paging" : "journal";
    fixture.crash(broker -> flips.apply(broker.resolve(files)));
    assertEquals(flips.all().size(), flips.flipped());

    mailbox = mailbox();
    try {
      Set<Integer> seen = received(mailbox);
      assertEquals(untouched, seen, () -> "altered: " + whatOf(seen));
    } finally {
      mailbox.drain();
    }
    checkLetters();
  }

  private Mailbox mailbox() {
    InstantSource clock = InstantSource.system();
    Mailbox mailbox =
        new Mailbox(
            SettingsLoader.load(key -> Optional.empty(), Set.of(), 1),
            new Mailbox.Ports(
                fixture.broker(),
                new Mailbox.Stores(new InMemoryProjectionStore(), topics, entry -> {}),
                () -> new DiskSpace.Room(Long.MAX_VALUE, Long.MAX_VALUE),
                System::nanoTime,
                clock,
                new Random(1),
                Runnable::run,
                caller -> {}));
    mailbox.start(SampleSupervision.ofNobody(), Thread::new);
    return mailbox;
  }

  /** For each byte of each property and some of the payload a message with that byte altered. */
  private void send() {
    List<Flip> wanted = new ArrayList<>();
    StoredMessage sample = message(1);
    bytes(wanted, MessageCodec.ENVELOPE, 5, EnvelopeCodec.encode(sample.envelope()).length);
    bytes(wanted, MessageCodec.HISTORY, 5, HistoryCodec.encode(sample.history()).length);
    text(wanted, MessageCodec.MSG_ID, sample.envelope().msgId().toString());
    text(wanted, MessageCodec.LAST_ERROR, String.valueOf(sample.lastError()));
    text(wanted, MessageCodec.TRACEPARENT, SampleMessages.TRACE.parent());
    text(wanted, MessageCodec.TRACESTATE, String.valueOf(SampleMessages.TRACE.state()));
    bytes(wanted, MessageCodec.SEQ, 1, Long.BYTES);
    bytes(wanted, MessageCodec.TTL, 1, Long.BYTES);
    bytes(wanted, MessageCodec.ATTEMPT, 1, Integer.BYTES);
    bytes(wanted, MessageCodec.CHECK, 1, Integer.BYTES);
    byte[] payload = ">> and more".getBytes(StandardCharsets.US_ASCII);
    for (int i = 2; i < payload.length; i++) {
      wanted.add(new Flip("payload[" + i + "]", payload, i));
    }
    try (BrokerSession session = SampleLog.open(fixture.broker(), 7)) {
      for (Flip flip : wanted) {
        if (flips.all().size() % CONTROL == 0) {
          untouched.add(enqueue(session));
        }
        flips.put(enqueue(session), flip);
      }
      untouched.add(enqueue(session));
      session.commit();
    }
  }

  private static int enqueue(BrokerSession session) {
    int number = NUMBERS.incrementAndGet();
    session.enqueue(SHARD, message(number), null);
    return number;
  }

  /**
   * @param prefix bytes of the value's type and, where it has one, its length
   */
  private static void bytes(List<Flip> wanted, SimpleString name, int prefix, int length) {
    wanted.add(Flip.name(name));
    for (int at = 0; at < length; at++) {
      wanted.add(Flip.value(name, prefix, at));
    }
  }

  private static void text(List<Flip> wanted, SimpleString name, String value) {
    bytes(wanted, name, 5, SimpleString.of(value).getData().length);
  }

  private static StoredMessage message(int number) {
    byte[] payload = (StoredFlips.mark(number) + " and more").getBytes(StandardCharsets.US_ASCII);
    StoredMessage plain =
        SampleMessages.message(
            SHARD,
            number,
            Instant.now(),
            payload,
            new Attributes(Map.of("colour", "red")),
            new Signature("signed"));
    return new StoredMessage(
        plain.envelope().withAttempt(ATTEMPT),
        plain.payload(),
        "refused",
        plain.expiresAt(),
        Duration.ofDays(1),
        MessageHistory.NONE.with(SampleMessages.refused(2, "refused")),
        SampleMessages.TRACE);
  }

  /** The messages that clients see: they peek first, and then receive. */
  private Set<Integer> received(Mailbox mailbox) {
    Set<Integer> seen = new HashSet<>();
    RecvRequest request =
        new RecvRequest(NAME, Duration.ofHours(1), 100, Long.MAX_VALUE, Duration.ZERO, null);
    Deadline.in(Duration.ofSeconds(30))
        .await(
            () -> {
              mailbox
                  .topicContents()
                  .peek(SampleCallers.OPERATOR, NAME, /* shard= */ null, 100)
                  .forEach(message -> seen.add(number(message)));
              RecvOutcome outcome =
                  mailbox
                      .recv(SampleCallers.OPERATOR, request)
                      .outcome()
                      .toCompletableFuture()
                      .join();
              if (outcome instanceof RecvOutcome.Delivered delivered) {
                delivered.messages().forEach(leased -> seen.add(number(leased.message())));
              }
              long dead = fixture.broker().deadLetters(NAME);
              return mailbox.limits().inflight() + dead >= flips.all().size() + untouched.size();
            },
            () -> "every message to be handed out or put away");
    return seen;
  }

  private static int number(StoredMessage message) {
    return (int) message.envelope().seq();
  }

  private String whatOf(Set<Integer> seen) {
    return flips.all().entrySet().stream()
        .filter(flip -> seen.contains(flip.getKey()))
        .map(flip -> flip.getValue().what())
        .collect(Collectors.joining(", "));
  }

  /** All have the reason; what is not sealed any more cannot be made a message again. */
  private void checkLetters() {
    List<DeadLetter> letters = fixture.broker().letterQueues().browse(NAME, 0);
    assertEquals(flips.all().size(), letters.size());
    assertTrue(letters.stream().allMatch(one -> one.reason() == DeadLetterReason.INTEGRITY));
    long payloads =
        flips.all().values().stream().filter(flip -> flip.what().startsWith("payload")).count();
    assertEquals(payloads, letters.stream().filter(letter -> letter.envelope() != null).count());
    long attempts =
        flips.all().values().stream()
            .filter(flip -> flip.what().contains(MessageCodec.ATTEMPT.toString()))
            .count();
    // An altered number of deliveries is shown as it is.
    assertTrue(
        letters.stream().filter(letter -> letter.attempt() == ATTEMPT - 1).count()
            >= letters.size() - attempts);
  }
}
