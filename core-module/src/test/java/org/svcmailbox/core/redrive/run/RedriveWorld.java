package org.svcmailbox.core.redrive.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.batch.InMemoryProjectionStore;
import org.svcmailbox.core.bounds.TestDisk;
import org.svcmailbox.core.broker.InMemoryBroker;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.capability.store.CapabilityNames;
import org.svcmailbox.core.deadletter.DeadLetters;
import org.svcmailbox.core.deadletter.JobId;
import org.svcmailbox.core.deadletter.LetterFilter;
import org.svcmailbox.core.deadletter.NaiveLetterIndex;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendRequest;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.lookup.LookupService;
import org.svcmailbox.core.mailbox.Mailbox;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.redrive.InMemoryJobStore;
import org.svcmailbox.core.redrive.InMemoryPermits;
import org.svcmailbox.core.redrive.Job;
import org.svcmailbox.core.redrive.JobAction;
import org.svcmailbox.core.redrive.JobSpec;
import org.svcmailbox.core.redrive.RedriveService;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.settings.SettingsLoader;
import org.svcmailbox.core.supervision.SampleSupervision;
import org.svcmailbox.core.topic.InMemoryTopicStore;
import org.svcmailbox.core.topic.Precondition;
import org.svcmailbox.core.topic.TopicOverrides;
import org.svcmailbox.test.concurrent.Deadline;

/**
 * A mailbox in memory whose workers have their threads, and jobs that are stepped by hand, with a
 * monotonic clock of their own.
 */
final class RedriveWorld implements AutoCloseable {
  static final TopicName ORDERS = new TopicName("orders");

  final InMemoryBroker broker = new InMemoryBroker(Instant::now);
  final InMemoryLetters letters = new InMemoryLetters(broker);
  final NaiveLetterIndex index = new NaiveLetterIndex();
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  final InMemoryJobStore store = new InMemoryJobStore();

  /** Set by a test. */
  CapabilityNames names = nonces -> Map.of();

  final InMemoryPermits permits = new InMemoryPermits();
  final TestDisk disk = new TestDisk();
  final List<AuditEntry> audit = new ArrayList<>();
  final MailboxSettings settings;
  Caller caller = SampleCallers.OPERATOR;

  private final InMemoryProjectionStore log = new InMemoryProjectionStore();
  private final InMemoryTopicStore topics = new InMemoryTopicStore(log::deleteTopic);
  private final AtomicLong nanos = new AtomicLong();
  private final List<Thread> threads = new ArrayList<>();
  private final Mailbox mailbox;
  private final DeadLetters deadLetters;
  private Redrive redrive;
  private int dead;

  RedriveWorld(Map<String, String> overrides) {
    Map<String, String> values =
        new HashMap<>(Map.of("mailbox.max_attempts", "1", "mailbox.workers", "1"));
    values.putAll(overrides);
    settings = SettingsLoader.load(key -> Optional.ofNullable(values.get(key)), values.keySet(), 2);
    mailbox =
        new Mailbox(
            settings,
            new Mailbox.Ports(
                broker,
                new Mailbox.Stores(log, topics, audit::add),
                disk,
                System::nanoTime,
                Instant::now,
                new Random(1),
                Runnable::run,
                caller -> {}));
    mailbox.start(SampleSupervision.ofNobody(), this::thread);
    deadLetters =
        new DeadLetters(mailbox.directory(), index, letters, mailbox.storedLedgers(), names);
    redrive = begin();
  }

  private Thread thread(Runnable work) {
    Thread thread = new Thread(work);
    thread.setDaemon(true);
    threads.add(thread);
    return thread;
  }

  private Redrive begin() {
    Redrive fresh =
        new Redrive(
            settings,
            new Redrive.Letters(deadLetters, index, letters, letters),
            mailbox.redriveTarget(),
            new Redrive.Records(store, audit::add, permits),
            new Redrive.Sources(
                Instant::now, nanos::get, new Random(store.list(null, 1_000).size())));
    fresh.load();
    return fresh;
  }

  /** The jobs' process dies, and another goes on with what is on disk. */
  void crash() {
    redrive = begin();
  }

  Redrive redrive() {
    return redrive;
  }

  LookupService lookup() {
    return mailbox.lookup(deadLetters, names);
  }

  Mailbox mailbox() {
    return mailbox;
  }

  /** Lets time pass for the jobs. */
  void pass(Duration by) {
    nanos.addAndGet(by.toNanos());
  }

  /** One step; a thread that dies of it is followed by another. */
  long step() {
    try {
      return redrive.step();
    } catch (OutOfMemoryError e) {
      return 0;
    }
  }

  /**
   * Steps until a job is over, letting time pass as it wants; workers have threads of their own.
   */
  Job finish(JobId id) {
    Deadline.in(PATIENCE)
        .await(
            () -> {
              nanos.addAndGet(step());
              return redrive.job(caller, id).job().progress().state().isOver();
            },
            () -> "it never ends: " + redrive.job(caller, id));
    return redrive.job(caller, id).job();
  }

  MsgId send(TopicName topic, String key) {
    return ((SendOutcome.Accepted) repeat(topic, key)).msgId();
  }

  /** Sends the message of a key; asks again while a failed worker opens its session. */
  SendOutcome repeat(TopicName topic, String key) {
    AtomicReference<SendOutcome> last = new AtomicReference<>();
    Deadline.in(PATIENCE)
        .await(
            () -> {
              last.set(sent(topic, key));
              return !(last.get() instanceof Refusal);
            },
            () -> String.valueOf(last.get()));
    return requireNonNull(last.get());
  }

  /** Sends the message of a key once. */
  SendOutcome sent(TopicName topic, String key) {
    return sent(topic, key, null);
  }

  private SendOutcome sent(TopicName topic, String key, @Nullable Duration ttl) {
    return mailbox
        .send(
            caller,
            new SendRequest(
                topic,
                Payload.owning(key.getBytes(UTF_8)),
                new IdemKey(key),
                new Attributes(Map.of("key", key)),
                null,
                null,
                Duration.ZERO,
                ttl,
                null,
                null,
                null))
        .toCompletableFuture()
        .join();
  }

  /** Takes ready messages for a minute; asks again while a failed worker opens its session. */
  List<StoredMessage> receive(TopicName topic, int most) {
    AtomicReference<RecvOutcome> last = new AtomicReference<>();
    Deadline.in(Duration.ofSeconds(30))
        .await(
            () -> {
              last.set(recv(topic, most));
              return last.get() instanceof RecvOutcome.Delivered;
            },
            () -> String.valueOf(last.get()));
    return ((RecvOutcome.Delivered) requireNonNull(last.get()))
        .messages().stream().map(RecvOutcome.LeasedMessage::message).toList();
  }

  private RecvOutcome recv(TopicName topic, int most) {
    return mailbox
        .recv(
            caller,
            new RecvRequest(
                topic, Duration.ofSeconds(60), most, Long.MAX_VALUE, Duration.ZERO, null))
        .outcome()
        .toCompletableFuture()
        .join();
  }

  /** Sends messages and has each die at its first delivery. */
  List<MsgId> die(TopicName topic, int count, String why) {
    return die(topic, count, why, null);
  }

  /** The same with a time to live. */
  List<MsgId> die(TopicName topic, int count, String why, @Nullable Duration ttl) {
    List<MsgId> died = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      died.add(((SendOutcome.Accepted) sent(topic, why + "-" + dead++, ttl)).msgId());
    }
    for (int left = count; left > 0; ) {
      for (StoredMessage message : receive(topic, 100)) {
        nack(message.envelope().msgId(), why);
        left--;
      }
    }
    index.add(letters.browse(topic, 0));
    return died;
  }

  /** Has messages of {@link #ORDERS} die that are leased. */
  void nack(Collection<MsgId> ids) {
    ids.forEach(id -> nack(id, "again"));
    index.add(letters.browse(ORDERS, 0));
  }

  private void nack(MsgId id, String why) {
    mailbox
        .settle(caller, new SettleRequest.Nack(id, null, why, null))
        .toCompletableFuture()
        .join();
  }

  /** A job over letters of {@link #ORDERS}. */
  Job start(JobAction action, LetterFilter filter, @Nullable TopicName to) {
    return start(ORDERS, action, filter, to);
  }

  /** A job over letters of a topic. */
  Job start(TopicName of, JobAction action, LetterFilter filter, @Nullable TopicName to) {
    return redrive
        .start(
            caller,
            new RedriveService.JobRequest(
                of, action, filter, null, JobSpec.MAX_RATE, null, to, null, "a note"))
        .job();
  }

  void put(TopicName topic, TopicOverrides overrides) {
    mailbox.topicAdmin().put(caller, topic, overrides, Precondition.NONE);
  }

  @Override
  public void close() {
    // A drain would wait for leases that a test still holds, and waits for the projector.
    threads.stream()
        .filter(thread -> thread.getName().startsWith("mailbox-shard-worker-"))
        .forEach(Thread::interrupt);
    mailbox.drain();
  }
}
