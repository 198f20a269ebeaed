package org.svcmailbox.core.mailbox;

import static java.util.stream.Collectors.toSet;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.batch.InMemoryProjectionStore;
import org.svcmailbox.core.bounds.TestDisk;
import org.svcmailbox.core.broker.InMemoryBroker;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.capability.store.CapabilityNames;
import org.svcmailbox.core.delivery.HoldingService;
import org.svcmailbox.core.delivery.MailboxService;
import org.svcmailbox.core.delivery.Receipt;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendRequest;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.envelope.ShardKey;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.ledger.LedgerEntry;
import org.svcmailbox.core.ledger.LedgerId;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.settings.SettingsLoader;
import org.svcmailbox.core.time.SteadyClock;
import org.svcmailbox.core.time.TestTime;
import org.svcmailbox.core.topic.InMemoryTopicStore;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.worker.state.Groups;
import org.svcmailbox.core.worker.state.GroupsHere;
import org.svcmailbox.test.concurrent.OwnThread;

/** A whole mailbox in memory, stepped by hand on one thread, on a clock that tests move. */
final class MailboxRig {
  final TestTime time = new TestTime();
  final SteadyClock clock = new SteadyClock(time, time);
  final InMemoryBroker broker = new InMemoryBroker(clock);
  final InMemoryProjectionStore log = new InMemoryProjectionStore();
  final InMemoryTopicStore topics = new InMemoryTopicStore(log::deleteTopic, log::keepTopic);
  final List<AuditEntry> audit = new ArrayList<>();
  final TestDisk disk = new TestDisk();
  MailboxSettings settings;

  /** The names of capabilities; tests may replace them. */
  CapabilityNames names = nonces -> Map.of();

  /** The caller; tests may replace it. */
  Caller caller = SampleCallers.OPERATOR;

  /** Whether the broker withholds due messages. */
  boolean isBrokerLate;

  /** Whether batches wait for their time before they are projected. */
  boolean isProjectionLate;

  private final int groupsEach;
  private final Random random;
  private Mailbox mailbox;

  MailboxRig(long seed, Map<String, String> overrides) {
    this(seed, overrides, 1);
  }

  /** With so many groups for each worker. */
  MailboxRig(long seed, Map<String, String> overrides, int groupsEach) {
    this.groupsEach = groupsEach;
    this.random = new Random(seed);
    this.settings = settings(overrides);
    log.topics(() -> topics.all().stream().map(stored -> stored.id()).collect(toSet()));
    this.mailbox = start();
  }

  /** Bounds are small here, so nobody has a share of them but where a test says so. */
  static MailboxSettings settings(Map<String, String> values) {
    Map<String, String> all = new HashMap<>(values);
    all.putIfAbsent("mailbox.fair_share", "100");
    return SettingsLoader.load(
        key -> Optional.ofNullable(all.get(key)), all.keySet(), /* cores= */ 2);
  }

  HoldingService holdings() {
    return mailbox.holdings(nonces -> names.names(nonces));
  }

  Mailbox mailbox() {
    return mailbox;
  }

  /** Kills the process and starts another one on what is on disk. */
  void crash() {
    broker.crash();
    mailbox = start();
    run();
  }

  /** Ends the process as an operator does, and starts another one. */
  void restart() {
    stop();
    startAgain();
  }

  /** Ends the process as an operator does. */
  void stop() {
    mailbox.drainHere();
  }

  /** Starts another process on what is on disk. */
  void startAgain() {
    prepareAgain();
    run();
  }

  /** As above, before its workers' first step. */
  void prepareAgain() {
    mailbox = start();
  }

  /** Goes on with a process that another one took the place of. */
  void goOnWith(Mailbox earlier) {
    mailbox = earlier;
    run();
  }

  /** Kills the process and starts it with other settings. */
  void crashInto(Map<String, String> overrides) {
    settings = settings(overrides);
    crash();
  }

  /** Steps until nothing more happens at this moment. */
  void run() {
    stepWorkers();
    attempt(mailbox.projector()::step);
    if (!isProjectionLate) {
      project();
    }
  }

  private void stepWorkers() {
    int quiet = 0;
    for (int i = 0; quiet < 3; i++) {
      if (i > 10_000) {
        throw new AssertionError("the workers never come to rest");
      }
      quiet = mailbox.step() == 0 ? quiet + 1 : 0;
      tick();
    }
  }

  /** Brings the database up to date, unless it is away. */
  void project() {
    attempt(mailbox.projector()::drain);
  }

  /** The projector's thread may die of it; the next one goes on. */
  private static void attempt(Runnable work) {
    try {
      work.run();
    } catch (UnavailableException | OutOfMemoryError e) {
      // A later call does it.
    }
  }

  private void tick() {
    if (!isBrokerLate) {
      broker.tick();
    }
  }

  /** Advances time and does everything that is due. */
  void pass(Duration by) {
    time.advance(by);
    tick();
    run();
  }

  SendOutcome send(String topic, String key, String payload) {
    return send(topic, key, payload, null, Duration.ZERO);
  }

  /** Queues a SEND without letting the worker work. */
  CompletableFuture<SendOutcome> submit(String topic, String key) {
    return submit(topic, key, "x", null, Duration.ZERO);
  }

  /** As above, with a payload. */
  CompletableFuture<SendOutcome> submit(String topic, String key, String payload) {
    return submit(topic, key, payload, null, Duration.ZERO);
  }

  /** As above, to the shard of a key. */
  CompletableFuture<SendOutcome> submit(
      String topic, String key, String payload, @Nullable String shardKey, Duration delay) {
    return submit(
        new SendRequest(
            new TopicName(topic),
            Payload.owning(payload.getBytes(StandardCharsets.UTF_8)),
            new IdemKey(key),
            Attributes.NONE,
            null,
            shardKey == null ? null : new ShardKey(shardKey),
            delay,
            null));
  }

  private CompletableFuture<SendOutcome> submit(SendRequest request) {
    return mailbox.send(caller, request).toCompletableFuture();
  }

  SendOutcome send(SendRequest request) {
    CompletableFuture<SendOutcome> reply = submit(request);
    run();
    return answered(reply);
  }

  SendOutcome send(
      String topic, String key, String payload, @Nullable String shardKey, Duration delay) {
    CompletableFuture<SendOutcome> reply = submit(topic, key, payload, shardKey, delay);
    run();
    return answered(reply);
  }

  MailboxService.PendingRecv recv(String topic, int max, Duration visibility, Duration wait) {
    MailboxService.PendingRecv call =
        mailbox.recv(
            caller,
            new RecvRequest(
                new TopicName(topic), visibility, max, Long.MAX_VALUE, wait, /* shard= */ null));
    run();
    return call;
  }

  RecvOutcome recvNow(String topic, int max) {
    return answered(recv(topic, max, Duration.ofSeconds(1), Duration.ZERO).outcome());
  }

  SettleOutcome ack(MsgId msgId, @Nullable Receipt receipt) {
    return settle(new SettleRequest.Ack(msgId, receipt));
  }

  SettleOutcome reject(MsgId msgId, @Nullable Receipt receipt) {
    return settle(new SettleRequest.Reject(msgId, receipt, "never"));
  }

  SettleOutcome nack(MsgId msgId, @Nullable Receipt receipt, @Nullable Duration delay) {
    return settle(new SettleRequest.Nack(msgId, receipt, "no", delay));
  }

  SettleOutcome settle(SettleRequest request) {
    CompletionStage<SettleOutcome> reply = mailbox.settle(caller, request);
    run();
    return answered(reply);
  }

  /** Runs an administrator's call, which waits for the workers, while they are stepped here. */
  <T> T operate(Supplier<T> call) {
    CompletableFuture<T> done = CompletableFuture.supplyAsync(call, OwnThread.EXECUTOR);
    while (!done.isDone()) {
      run();
    }
    run();
    return done.join();
  }

  /**
   * Changes a topic. The projector, which may wait for the topic, has no thread of its own here.
   */
  void administer(Runnable call) {
    CompletableFuture<Void> done = CompletableFuture.runAsync(call, OwnThread.EXECUTOR);
    while (!done.isDone()) {
      stepWorkers();
    }
    run();
    done.join();
  }

  /** As {@link #operate(Supplier)}, without a result. */
  void operate(Runnable call) {
    operate(
        () -> {
          call.run();
          return true;
        });
  }

  /** A ledger from its beginning, as the database has it. */
  List<LedgerEntry> ledger(Topic topic, int shard) {
    return log.ledger(new LedgerId(topic.id(), shard), 1, Integer.MAX_VALUE);
  }

  static <T> T answered(CompletionStage<T> stage) {
    CompletableFuture<T> future = stage.toCompletableFuture();
    if (!future.isDone()) {
      throw new AssertionError("not answered");
    }
    return future.join();
  }

  private Mailbox start() {
    Mailbox fresh =
        new Mailbox(
            settings,
            GroupsHere.all(new Groups(settings.workers() * groupsEach, settings.workers())),
            new Mailbox.Ports(
                broker,
                new Mailbox.Stores(log, topics, audit::add),
                disk,
                time,
                clock,
                random,
                Runnable::run,
                caller -> {}));
    fresh.prepare();
    return fresh;
  }
}
